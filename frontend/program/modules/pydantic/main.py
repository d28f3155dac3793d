from pydantic import BaseModel

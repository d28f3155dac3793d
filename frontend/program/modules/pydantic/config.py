from pydantic import ConfigDict

from pydantic import Field, FieldInfo, PrivateAttr, computed_field

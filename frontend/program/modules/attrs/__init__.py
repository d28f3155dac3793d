from attr import (NOTHING, Factory, asdict, astuple, converters, define, evolve, field, fields,
                  frozen, has, mutable, validators)

"""unidecode: texts in ASCII; letters of other alphabets are left out."""


def unidecode(string, errors="ignore", replace_str="?"):
    return "".join([c for c in string if ord(c) < 128])


unidecode_expect_ascii = unidecode_expect_nonascii = unidecode

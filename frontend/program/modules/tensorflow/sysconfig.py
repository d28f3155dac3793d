"""tf.sysconfig."""


def get_build_info():
    return {"is_cuda_build": False, "is_rocm_build": False, "is_tensorrt_build": False}


def get_compile_flags():
    return []


get_link_flags = get_compile_flags


def get_include():
    return "/usr/include"


get_lib = get_include

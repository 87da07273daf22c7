"""Build configurations merged from layers of options."""

from __future__ import annotations

from openclsp.project.option_layers import ConfigurationResult, OptionLayer, merge_option_layers
from openclsp.project.option_parser import parse_build_options
from openclsp.source.build_configuration import derive_preprocessor_options


def configured(**layers: str) -> ConfigurationResult:
    return merge_option_layers(
        [
            OptionLayer(f"in {name}", parse_build_options(text.split(), "/p").options)
            for name, text in layers.items()
        ]
    )


def test_the_default_version_has_a_reason() -> None:
    result = configured()
    assert result.configuration.dialect.name == "CL1.2"
    assert result.origins.dialect == "the default of OpenCL compilers"


def test_the_last_layer_that_names_a_version_decides() -> None:
    result = configured(settings="-cl-std=CL2.0", file="-cl-std=CL3.0", line="-DN")
    assert result.configuration.dialect.name == "CL3.0"
    assert result.origins.dialect == "from -cl-std=CL3.0 in file"


def test_switches_of_all_layers_apply_in_order() -> None:
    result = configured(file="-cl-ext=-all -cl-std=CL1.2", line="-cl-ext=+cl_khr_fp64")
    assert result.configuration.dialect.extensions == {"cl_khr_fp64"}


def test_notes_are_handed_on() -> None:
    result = configured(line="-cl-std=CL3.0 -cl-ext=-__opencl_c_generic_address_space")
    assert result.configuration.dialect.name == "CL3.0-generic"
    assert len(result.notes) == 1


def test_the_last_option_about_a_macro_counts() -> None:
    result = configured(file="-DA=1 -DB -UC -DD(x)=x", line="-DA=2 -UB -DC=3 -DD=4")
    assert result.configuration.defines == (("A", "2"), ("C", "3"), ("D", "4"))
    assert result.configuration.undefines == ("B",)
    assert result.origins.defines == ("in line", "in line", "in line")


def test_folders_of_a_later_layer_are_searched_first_and_system_folders_last() -> None:
    result = configured(file="-Ia -isystem s", line="-Ib -Ia")
    assert result.configuration.include_folders == ("/p/b", "/p/a", "/p/s")
    assert result.origins.include_folders == ("in line", "in line", "in file")


def test_where_options_came_from_is_not_part_of_a_configuration() -> None:
    one, other = configured(file="-DN=1 -Ia"), configured(settings="-DN=1 -Ia")
    assert one.configuration == other.configuration
    assert hash(one.configuration) == hash(other.configuration)
    assert one.origins != other.origins


def test_a_named_version_of_opencl_c_overrides_cpp_for_opencl() -> None:
    assert configured(file="-cl-std=clc++").cpp_for_opencl
    assert not configured(file="-cl-std=clc++", line="-cl-std=CL2.0").cpp_for_opencl


def test_what_the_preprocessor_is_given() -> None:
    configuration = configured(line="-cl-std=CL2.0 -DN=4 -UNULL").configuration
    given = derive_preprocessor_options(configuration)
    assert given.predefined["__OPENCL_C_VERSION__"] == "200"
    assert (given.defines, given.undefines) == ((("N", "4"),), ("NULL",))
    assert "__NV_CL_C_VERSION" in given.known
    assert given == derive_preprocessor_options(configured(file="-cl-std=CL2.0 -UNULL -DN=4").configuration)

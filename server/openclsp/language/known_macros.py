"""Macros that some compiler, device or dialect predefines.

Kernels test for these macros. If such a macro is not predefined, it is certainly undefined, and an `#if` that
tests it has a known result: the kernel is not built for the vendor, version or device that predefines the
macro. Names of extensions are those of the Khronos registry.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from openclsp.language.dialect import REFERENCE_DIALECTS
from openclsp.language.features import FEATURES
from openclsp.language.predefined import predefined_macros

_EXTENSIONS = {
    "cl_khr_": """async_work_group_copy_fence command_buffer command_buffer_mutable_dispatch
        command_buffer_multi_device create_command_queue d3d10_sharing d3d11_sharing
        device_enqueue_local_arg_types device_uuid dx9_media_sharing egl_event egl_image expect_assume
        extended_async_copies extended_versioning external_memory external_memory_dma_buf
        external_memory_opaque_fd external_memory_win32 external_semaphore external_semaphore_opaque_fd
        external_semaphore_sync_fd external_semaphore_win32 gl_depth_images gl_event gl_sharing icd
        il_program image2d_from_buffer initialize_memory pci_bus_info priority_hints
        select_fprounding_mode semaphore spir spirv_extended_debug_info spirv_linkonce_odr
        spirv_no_integer_wrap_decoration spirv_queries suggested_local_work_size terminate_context
        throttle_hints unified_svm work_group_uniform_arithmetic""",
    "cl_ext_": """atomic_counters_32 atomic_counters_64 buffer_device_address cxx_for_opencl device_fission
        image_from_buffer image_raw10_raw12 image_requirements_info image_tiling_control
        image_unorm_int_2_101010 image_unsigned_10x6_12x4_14x2 immutable_memory_objects migrate_memobject""",
    "cl_amd_": """bus_addressable_memory c11_atomics copy_buffer_p2p device_attribute_query
        device_memory_flags device_persistent_memory fp64 object_metadata offline_devices popcnt printf
        vec3""",
    "cl_nv_": """compiler_options copy_opts create_buffer d3d10_sharing d3d11_sharing d3d9_sharing
        device_attribute_query fp16 kernel_attribute pragma_unroll""",
    "cl_intel_": """accelerator advanced_motion_estimation bfloat16_conversions channels
        command_queue_families concurrent_dispatch create_buffer_with_properties d3d11_nv12_media_sharing
        device_attribute_query device_partition_by_names driver_diagnostics dx9_media_sharing
        egl_image_yuv exec_by_local_thread global_float_atomics media_block_io mem_alloc_buffer_location
        mem_channel_property mem_force_host_memory motion_estimation packed_yuv planar_yuv printf
        program_scope_host_pipe sharing_format_query simultaneous_sharing
        spirv_device_side_avc_motion_estimation spirv_media_block_io spirv_subgroups
        split_work_group_barrier subgroup_2d_block_io subgroup_matrix_multiply_accumulate
        subgroup_matrix_multiply_accumulate_tf32 subgroup_split_matrix_multiply_accumulate
        unified_shared_memory va_api_media_sharing vec_len_hint""",
    "cl_arm_": """controlled_kernel_termination core_id get_core_id import_memory import_memory_dma_buf
        import_memory_host import_memory_protected integer_dot_product_accumulate_int16
        integer_dot_product_accumulate_int8 integer_dot_product_accumulate_saturate_int8
        integer_dot_product_int8 job_slot_selection non_uniform_work_group_size printf
        protected_memory_allocation scheduling_controls shared_virtual_memory thread_limit_hint""",
    "cl_qcom_": """accelerated_image_ops android_ahardwarebuffer_host_ptr android_native_buffer_host_ptr
        bitreverse compressed_image create_buffer_from_image dot_product8 ext_host_ptr ext_host_ptr_iommu
        extended_images extended_query_image_info extract_image_plane filter_bicubic ion_host_ptr
        ml_ops onchip_global_memory other_image perf_hint priority_hint protected_context reqd_sub_group_size
        sparse_memory subgroup_shuffle subgroup_uniform_load vector_image_ops""",
    "cl_APPLE_": """ContextLoggingFunctions SetMemObjectDestructor biased_fixed_point_image_formats clut
        command_queue_priority command_queue_select_compute_units fixed_alpha_channel_orders
        fp64_basic_ops gl_sharing query_kernel_names""",
    "cl_pocl_": "command_buffer_host_buffer command_buffer_svm content_size pinned_buffers svm_rect",
    "cl_img_": """cached_allocations cancel_command generate_mipmap mem_properties mipmap_image_writes
        use_gralloc_ptr""",
    "cl_": "altera_channels altera_compiler_mode altera_device_temperature ibm_atom_reserve TI_msmc_buffers",
}

_FEATURES = """__opencl_c_work_group_uniform_arithmetic __opencl_c_named_address_space_builtins
    __opencl_c_kernel_clock_scope_all_devices"""

_LANGUAGES = """__cplusplus __OPENCL_CPP_VERSION__ __OPENCL_CLCPP__ __OBJC__ __CUDACC__ __CUDA_ARCH__ __HIPCC__
    __HIP__ __METAL_VERSION__ __SYCL_DEVICE_ONLY__ SYCL_LANGUAGE_VERSION GL_ES GL_core_profile"""

_COMPILERS_AND_DEVICES = """__EMBEDDED_PROFILE__ __IMAGE_SUPPORT__ __ENDIAN_LITTLE__ __FAST_RELAXED_MATH__
    __FAST_MATH__ __NO_INLINE__ FP_FAST_FMA FP_FAST_FMAF FP_FAST_FMA_HALF __FLUSH_DENORMS__
    __SIZEOF_INT128__ CL_VERSION_2_1 CL_VERSION_2_2 __SPIR__ __SPIR32__ __SPIR64__ __SPIRV__ __SPIRV32__
    __SPIRV64__ __SPIR __SPIR32 __SPIR64 __AMD__ __AMDGPU__ __AMDGCN__ __AMDIL__ __R600__ __GCN__
    __AMDGCN_WAVEFRONT_SIZE __AMDGCN_WAVEFRONT_SIZE__ __HAS_FMAF__ __HAS_FP64__ __HAS_LDEXPF__ __Tahiti__
    __Pitcairn__ __Capeverde__ __Cayman__ __Barts__ __Cypress__ __Juniper__ __Redwood__ __Cedar__
    __Bonaire__ __Hawaii__ __Tonga__ __Fiji__ __Ellesmere__ __Baffin__ __Vega__ __gfx600__ __gfx700__
    __gfx701__ __gfx801__ __gfx803__ __gfx804__ __gfx900__ __gfx902__ __gfx904__ __gfx906__ __gfx908__
    __gfx90a__ __gfx940__ __gfx942__ __gfx1010__ __gfx1011__ __gfx1012__ __gfx1030__ __gfx1031__
    __gfx1032__ __gfx1100__ __gfx1101__ __gfx1102__ __gfx1103__ __gfx1200__ __gfx1201__ __NV_CL_C_VERSION
    __NVPTX__ __NVPTX64__ __PTX__ __NVIDIA__ __PTX_VERSION__ __INTEL__ __INTEL_COMPILER __INTEL_FPGA__
    INTELFPGA_CL ALTERA_CL __xilinx__ __XILINX__ __SYNTHESIS__ XILINX __ARM__ __arm__ __aarch64__
    __MALI__ __QUALCOMM__ __ADRENO__ __IMG__ __POWERVR__ __POCL__ POCL_VERSION __pocl__
    POCL_DEVICE_ADDRESS_BITS __OCLGRIND__ __MESA__ __CLC_INTERNAL CLC_SPIRV __GPU__ __CPU__
    __ACCELERATOR__ __X86__ __x86_64 __x86_64__ __i386 __i386__ __powerpc64__ __riscv __AVX__ __AVX2__
    __AVX512F__ __SSE__ __SSE2__ __SSE4_1__ __F16C__ __FMA__ __APPLE__ __MACOSX__ __MACH__ __linux__
    __linux __unix__ __ANDROID__ _WIN32 _WIN64 WIN32 __MINGW32__ __CYGWIN__ __GNUC__ __GNUC_MINOR__
    _MSC_VER __MSC_VER __ICC __clang_analyzer__ __BIG_ENDIAN__ __ILP32__
"""


def _names() -> Iterator[str]:
    for dialect in REFERENCE_DIALECTS:
        yield from (head.partition("(")[0] for head in predefined_macros(dialect))
    yield from FEATURES
    yield from _FEATURES.split()
    yield from _LANGUAGES.split()
    yield from target_macros()


@cache
def target_macros() -> frozenset[str]:
    """Returns the macros that some compilers, vendors or devices predefine.

    A kernel may be intended for one of these targets only.
    """
    extensions = (prefix + stem for prefix, stems in _EXTENSIONS.items() for stem in stems.split())
    return frozenset((*extensions, *_COMPILERS_AND_DEVICES.split()))


@cache
def known_macros() -> frozenset[str]:
    """Returns the macros that other dialects, vendors, devices or languages predefine.

    If the program's dialect and device do not predefine such a macro, it is certainly undefined.
    """
    return frozenset(_names())

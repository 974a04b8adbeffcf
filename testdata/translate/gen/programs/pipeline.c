/* Creates one Vulkan pipeline without rasterization, so that a trace of lavapipe holds the stream output info of its last
 * vertex stage.
 *
 *   pipeline FILE.vert.spv [FILE.tesc.spv FILE.tese.spv] [FILE.geom.spv] */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vulkan/vulkan.h>

#define CHECK(call) do { VkResult r_ = (call); if (r_ != VK_SUCCESS) { printf("%s: %d\n", #call, r_); exit(1); } } while (0)

static VkDevice open_device(void)
{
	VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO, .apiVersion = VK_API_VERSION_1_3};
	VkInstanceCreateInfo create = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO, .pApplicationInfo = &application};
	VkInstance instance;
	CHECK(vkCreateInstance(&create, NULL, &instance));

	uint32_t count = 1;
	VkPhysicalDevice physical;
	VkResult r = vkEnumeratePhysicalDevices(instance, &count, &physical);
	if (r != VK_SUCCESS && r != VK_INCOMPLETE)
		exit(1);

	VkPhysicalDeviceTransformFeedbackFeaturesEXT feedback = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TRANSFORM_FEEDBACK_FEATURES_EXT,
		.transformFeedback = VK_TRUE, .geometryStreams = VK_TRUE};
	VkPhysicalDeviceVulkan13Features features13 = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES, .pNext = &feedback, .dynamicRendering = VK_TRUE};
	VkPhysicalDeviceFeatures2 features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, .pNext = &features13};
	vkGetPhysicalDeviceFeatures2(physical, &features);

	const char *extensions[] = {"VK_EXT_transform_feedback"};
	const float priority = 1;
	VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO, .queueCount = 1, .pQueuePriorities = &priority};
	VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO, .pNext = &features, .queueCreateInfoCount = 1,
		.pQueueCreateInfos = &queue, .enabledExtensionCount = 1, .ppEnabledExtensionNames = extensions};
	VkDevice device;
	CHECK(vkCreateDevice(physical, &info, NULL, &device));
	return device;
}

static VkPipelineShaderStageCreateInfo stage(VkDevice device, const char *name)
{
	VkPipelineShaderStageCreateInfo s = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO, .pName = "main"};
	static uint32_t code[1 << 16];
	FILE *f = fopen(name, "rb");
	if (!f) {
		printf("%s cannot be opened\n", name);
		exit(1);
	}
	VkShaderModuleCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, .pCode = code};
	info.codeSize = fread(code, 1, sizeof code, f);
	fclose(f);
	CHECK(vkCreateShaderModule(device, &info, NULL, &s.module));
	s.stage = strstr(name, ".vert") ? VK_SHADER_STAGE_VERTEX_BIT
		: strstr(name, ".tesc") ? VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT
		: strstr(name, ".tese") ? VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT : VK_SHADER_STAGE_GEOMETRY_BIT;
	return s;
}

int main(int argc, char **argv)
{
	VkPipelineShaderStageCreateInfo stages[4];
	VkDevice device = open_device();
	int tessellated = 0;

	for (int i = 1; i < argc && i <= 4; i++) {
		stages[i - 1] = stage(device, argv[i]);
		tessellated |= stages[i - 1].stage == VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT;
	}
	VkPipelineLayoutCreateInfo layout_info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
	VkPipelineLayout layout;
	CHECK(vkCreatePipelineLayout(device, &layout_info, NULL, &layout));

	VkPipelineVertexInputStateCreateInfo input = {.sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO};
	VkPipelineInputAssemblyStateCreateInfo assembly = {.sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
		.topology = tessellated ? VK_PRIMITIVE_TOPOLOGY_PATCH_LIST : VK_PRIMITIVE_TOPOLOGY_POINT_LIST};
	VkPipelineTessellationStateCreateInfo tessellation = {.sType = VK_STRUCTURE_TYPE_PIPELINE_TESSELLATION_STATE_CREATE_INFO, .patchControlPoints = 3};
	VkPipelineRasterizationStateCreateInfo raster = {.sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO,
		.rasterizerDiscardEnable = VK_TRUE, .lineWidth = 1};
	VkPipelineRenderingCreateInfo rendering = {.sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO};
	VkGraphicsPipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO, .pNext = &rendering,
		.stageCount = (uint32_t)argc - 1, .pStages = stages, .pVertexInputState = &input, .pInputAssemblyState = &assembly,
		.pTessellationState = tessellated ? &tessellation : NULL, .pRasterizationState = &raster, .layout = layout};
	VkPipeline pipeline;
	CHECK(vkCreateGraphicsPipelines(device, VK_NULL_HANDLE, 1, &info, NULL, &pipeline));
	vkDestroyPipeline(device, pipeline, NULL);
	vkDestroyDevice(device, NULL);
	return 0;
}

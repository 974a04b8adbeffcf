// Package d3d is the front end for Direct3D 10, 11 and 12: stream-output
// declarations over the output signature of a shader, and the stages and
// targets that capture with them.
//
// [Translate] checks declarations as the runtime does and lays them out as a
// state tracker must: slots are filled in the order of the declarations, gaps
// included, and each stream has registers of its own, since Gallium numbers the
// registers of all streams together.
//
// A case of outflow translate, in JSON:
//
//	{"id": 1, "api": "d3d11", "source": "geometry",
//	 "signature": [{"stream": 0, "semanticName": "TEXCOORD", "semanticIndex": 1, "register": 2, "mask": "zw"}],
//	 "declarations": [{"stream": 0, "semanticName": null, "semanticIndex": 0, "startComponent": 0, "componentCount": 2, "outputSlot": 0}],
//	 "strides": [32], "rasterizedStream": 0}
//
// "numEntries" is the count where it differs from the declarations that are
// there, "featureLevel" that of the device, "allowStreamOutput" the flag of the
// root signature.
//
// A [Device] is the other half: shaders, SOSetTargets and DrawAuto, sent to a
// driver. A geometry shader without code becomes stream output of the shader
// before it.
package d3d

import { MASKS, type Operation } from '../gpu/batch.ts';
import { aesFunctions, OPERATIONS } from '../gpu/shader.ts';

/** Texels of a row of the texture with starts, of which each message has two. */
export const STARTS_WIDTH = 1024;

/** One triangle that covers everything; it needs no data. */
export const VERTEX_SHADER = `#version 300 es
void main() {
  gl_Position = vec4(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0, 0.0, 1.0);
}`;

const ADD_ROUND_KEY = `Planes addRoundKey(Planes q, uint r) {
  uvec4 a = keys[2u * r];
  uvec4 b = keys[2u * r + 1u];
  return Planes(q.p0 ^ a.x, q.p1 ^ a.y, q.p2 ^ a.z, q.p3 ^ a.w, q.p4 ^ b.x, q.p5 ^ b.y, q.p6 ^ b.z, q.p7 ^ b.w);
}`;

/**
 * The fragment shader of an operation, in GLSL ES 3.00. `blocks` has a slice, one block a texel: the rows of
 * its first half and, above them, those of its second. A fragment works on one block of each.
 */
export function fragmentShader(operation: Operation): string {
  const { cipher, mask, input, output } = OPERATIONS[operation];
  return `#version 300 es
precision highp float;
precision highp int;
precision highp usampler2D;
uniform usampler2D blocks;
uniform usampler2D starts;
uniform uvec4 keys[30];
uniform uvec4 masks[${MASKS}];
uniform uint rounds;
uniform uint first;
uniform uint perMessage;
uniform int width;
uniform int rows;
layout(location = 0) out uvec4 lower;
layout(location = 1) out uvec4 upper;

${aesFunctions('glsl', ADD_ROUND_KEY)}

Planes intoPlanes(uvec4 a, uvec4 b) {
  return aesTranspose(Planes(a.x, b.x, a.y, b.y, a.z, b.z, a.w, b.w));
}

uvec4 startWord(uint index) {
  return texelFetch(starts, ivec2(index % ${STARTS_WIDTH}u, index / ${STARTS_WIDTH}u), 0);
}

// The counter of a block of the slice: base + index, in the bits of the mask, as bytes in their order.
uvec4 counterBlock(ivec2 at) {
  uint block = first + uint(at.y * width + at.x);
  uint message = block / perMessage;
  uint index = block % perMessage;
  uvec4 base = startWord(2u * message);
  uvec4 mask = startWord(2u * message + 1u);
  uint w = base.w + index;
  uint z = base.z + uint(w < index);
  uint y = base.y + uint(z < base.z);
  uint x = base.x + uint(y < base.y);
  uvec4 word = (base & ~mask) | (uvec4(x, y, z, w) & mask);
  uvec4 pairs = ((word & uvec4(0x00ff00ffu)) << 8u) | ((word >> 8u) & uvec4(0x00ff00ffu));
  return (pairs << 16u) | (pairs >> 16u);
}

// Offset_i of OCB is Offset_0, and L_j for each bit j of the Gray code of i. Only the place decides on a branch.
uvec4 offsetBlock(ivec2 at) {
  uint block = first + uint(at.y * width + at.x);
  uint index = block % perMessage + 1u;
  uvec4 offset = startWord(2u * (block / perMessage));
  uint gray = index ^ (index >> 1u);
  for (int j = 0; gray != 0u; j++) {
    if ((gray & 1u) == 1u) offset ^= masks[j];
    gray >>= 1u;
  }
  return offset;
}

uvec4 noMask(ivec2 at) {
  return uvec4(0u);
}

void main() {
  ivec2 at = ivec2(gl_FragCoord.xy);
  ivec2 other = at + ivec2(0, rows);
  uvec4 a = texelFetch(blocks, at, 0);
  uvec4 b = texelFetch(blocks, other, 0);
  uvec4 x = ${mask}(at);
  uvec4 y = ${mask}(other);
  Planes q = aesTranspose(${cipher}(intoPlanes(${input('a', 'x')}, ${input('b', 'y')}), rounds));
  lower = uvec4(q.p0, q.p2, q.p4, q.p6) ^ ${output('a', 'x')};
  upper = uvec4(q.p1, q.p3, q.p5, q.p7) ^ ${output('b', 'y')};
}`;
}

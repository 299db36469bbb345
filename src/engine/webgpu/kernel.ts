import { MASKS, type Operation } from '../gpu/batch.ts';
import { aesFunctions, OPERATIONS } from '../gpu/shader.ts';

/** Blocks that one invocation works on, and invocations of a workgroup. */
export const BLOCKS_AT_ONCE = 2;
export const WORKGROUP = 64;

/** The words of `Job`: four, eight for each of the 15 round keys of AES-256, and the masks of OCB. */
export const KEYS_WORD = 4;
export const MASKS_WORD = KEYS_WORD + 8 * 15;
export const JOB_BYTES = 4 * (MASKS_WORD + 4 * MASKS);

/**
 * The shader of the engine `webgpu`, in WGSL. `blocks` holds a slice, which results replace; `first` is the
 * number of its first block in its message, and `perMessage` the number of blocks of each message.
 */
export function webGpuShader(): string {
  return `
struct Job {
  rounds: u32,
  count: u32,
  first: u32,
  perMessage: u32,
  keys: array<vec4<u32>, 30>,
  masks: array<vec4<u32>, ${MASKS}>,
}
@group(0) @binding(0) var<storage, read_write> blocks: array<vec4<u32>>;
@group(0) @binding(1) var<uniform> job: Job;
@group(0) @binding(2) var<storage, read> starts: array<vec4<u32>>;

${aesFunctions('wgsl', ADD_ROUND_KEY)}

fn intoPlanes(a: vec4<u32>, b: vec4<u32>) -> Planes {
  return aesTranspose(Planes(a.x, b.x, a.y, b.y, a.z, b.z, a.w, b.w));
}

// The counter of a block of the slice: base + index, in the bits of the mask, as bytes in their order.
fn counterBlock(at: u32) -> vec4<u32> {
  let block = job.first + at;
  let message = block / job.perMessage;
  let index = block % job.perMessage;
  let base = starts[2u * message];
  let mask = starts[2u * message + 1u];
  let w = base.w + index;
  let z = base.z + u32(w < index);
  let y = base.y + u32(z < base.z);
  let x = base.x + u32(y < base.y);
  let word = (base & ~mask) | (vec4<u32>(x, y, z, w) & mask);
  let pairs = ((word & vec4<u32>(0x00ff00ffu)) << vec4<u32>(8u)) | ((word >> vec4<u32>(8u)) & vec4<u32>(0x00ff00ffu));
  return (pairs << vec4<u32>(16u)) | (pairs >> vec4<u32>(16u));
}

// Offset_i of OCB is Offset_0, and L_j for each bit j of the Gray code of i. Only the place decides on a branch.
fn offsetBlock(at: u32) -> vec4<u32> {
  let block = job.first + at;
  let index = block % job.perMessage + 1u;
  var offset = starts[2u * (block / job.perMessage)];
  var gray = index ^ (index >> 1u);
  for (var j = 0u; gray != 0u; j++) {
    if ((gray & 1u) == 1u) { offset ^= job.masks[j]; }
    gray >>= 1u;
  }
  return offset;
}

fn noMask(at: u32) -> vec4<u32> {
  return vec4<u32>(0u);
}

${(Object.keys(OPERATIONS) as Operation[]).map(entryPoint).join('\n')}`;
}

function entryPoint(operation: Operation): string {
  const { cipher, mask, input, output } = OPERATIONS[operation];
  return `@compute @workgroup_size(${WORKGROUP})
fn ${operation}(@builtin(global_invocation_id) id: vec3<u32>) {
  let at = ${BLOCKS_AT_ONCE}u * id.x;
  if (at >= job.count) { return; }
  let a = blocks[at];
  let b = blocks[at + 1u];
  let x = ${mask}(at);
  let y = ${mask}(at + 1u);
  let q = aesTranspose(${cipher}(intoPlanes(${input('a', 'x')}, ${input('b', 'y')}), job.rounds));
  blocks[at] = vec4<u32>(q.p0, q.p2, q.p4, q.p6) ^ ${output('a', 'x')};
  blocks[at + 1u] = vec4<u32>(q.p1, q.p3, q.p5, q.p7) ^ ${output('b', 'y')};
}
`;
}

const ADD_ROUND_KEY = `fn addRoundKey(q: Planes, r: u32) -> Planes {
  let a = job.keys[2u * r];
  let b = job.keys[2u * r + 1u];
  return Planes(q.p0 ^ a.x, q.p1 ^ a.y, q.p2 ^ a.z, q.p3 ^ a.w, q.p4 ^ b.x, q.p5 ^ b.y, q.p6 ^ b.z, q.p7 ^ b.w);
}`;

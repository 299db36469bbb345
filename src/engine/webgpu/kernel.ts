import type { Operation } from '../gpu/batch.ts';
import { aesFunctions } from '../gpu/shader.ts';

/** Blocks that one invocation works on, and invocations of a workgroup. */
export const BLOCKS_AT_ONCE = 2;
export const WORKGROUP = 64;

/** Bytes of `Job`: four words, and eight for each of the 15 round keys of AES-256. */
export const JOB_BYTES = 16 + 32 * 15;

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
}
@group(0) @binding(0) var<storage, read_write> blocks: array<vec4<u32>>;
@group(0) @binding(1) var<uniform> job: Job;
@group(0) @binding(2) var<storage, read> counters: array<vec4<u32>>;

${aesFunctions('wgsl', ADD_ROUND_KEY)}

fn intoPlanes(a: vec4<u32>, b: vec4<u32>) -> Planes {
  return aesTranspose(Planes(a.x, b.x, a.y, b.y, a.z, b.z, a.w, b.w));
}

fn store(at: u32, planes: Planes, mask: vec4<u32>) {
  let q = aesTranspose(planes);
  let a = vec4<u32>(q.p0, q.p2, q.p4, q.p6);
  let b = vec4<u32>(q.p1, q.p3, q.p5, q.p7);
  blocks[at] = a ^ (blocks[at] & mask);
  blocks[at + 1u] = b ^ (blocks[at + 1u] & mask);
}

// The counter of a block of the slice: base + index, in the bits of the mask, as bytes in their order.
fn counterBlock(at: u32) -> vec4<u32> {
  let block = job.first + at;
  let message = block / job.perMessage;
  let index = block % job.perMessage;
  let base = counters[2u * message];
  let mask = counters[2u * message + 1u];
  let w = base.w + index;
  let z = base.z + u32(w < index);
  let y = base.y + u32(z < base.z);
  let x = base.x + u32(y < base.y);
  let word = (base & ~mask) | (vec4<u32>(x, y, z, w) & mask);
  let pairs = ((word & vec4<u32>(0x00ff00ffu)) << vec4<u32>(8u)) | ((word >> vec4<u32>(8u)) & vec4<u32>(0x00ff00ffu));
  return (pairs << vec4<u32>(16u)) | (pairs >> vec4<u32>(16u));
}

${OPERATIONS.map(entryPoint).join('\n')}`;
}

/** What an operation makes of both blocks, as planes, and what of the data is XORed to it. */
const STATES: Readonly<Record<Operation, { readonly planes: string; readonly mask: string }>> = {
  encrypt: {
    planes: 'encryptPlanes(intoPlanes(blocks[at], blocks[at + 1u]), job.rounds)',
    mask: '0u',
  },
  decrypt: {
    planes: 'decryptPlanes(intoPlanes(blocks[at], blocks[at + 1u]), job.rounds)',
    mask: '0u',
  },
  count: {
    planes: 'encryptPlanes(intoPlanes(counterBlock(at), counterBlock(at + 1u)), job.rounds)',
    mask: '0xffffffffu',
  },
};
const OPERATIONS = Object.keys(STATES) as Operation[];

function entryPoint(operation: Operation): string {
  const { planes, mask } = STATES[operation];
  return `@compute @workgroup_size(${WORKGROUP})
fn ${operation}(@builtin(global_invocation_id) id: vec3<u32>) {
  let at = ${BLOCKS_AT_ONCE}u * id.x;
  if (at >= job.count) { return; }
  store(at, ${planes}, vec4<u32>(${mask}));
}
`;
}

const ADD_ROUND_KEY = `fn addRoundKey(q: Planes, r: u32) -> Planes {
  let a = job.keys[2u * r];
  let b = job.keys[2u * r + 1u];
  return Planes(q.p0 ^ a.x, q.p1 ^ a.y, q.p2 ^ a.z, q.p3 ^ a.w, q.p4 ^ b.x, q.p5 ^ b.y, q.p6 ^ b.z, q.p7 ^ b.w);
}`;

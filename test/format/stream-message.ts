import { concat } from '../../src/crypto/bytes.ts';
import { beginSealStream } from '../../src/format/plans/seal-plan.ts';
import type { BeginSealOptions } from '../../src/format/plans/seal-plan.ts';
import { ChunkSealer } from '../../src/format/chunks/chunks.ts';
import { NATIVE_CRYPTO } from '../../src/format/native-crypto.ts';
import { StreamSealer } from '../../src/format/chunks/stream.ts';

/** Seals as a stream does, in pieces of this length, all passed at once. */
export async function sealedInPieces(
  options: BeginSealOptions,
  salt: Uint8Array,
  message: Uint8Array,
  pieceBytes: number,
): Promise<Uint8Array> {
  const plan = await beginSealStream(options, () => salt);
  const { chunkBytes } = plan.suite;
  const aead = await NATIVE_CRYPTO.aesGcm(plan.keys.key);
  const chunkSealer = new ChunkSealer(aead, plan.keys.baseNonce, chunkBytes);
  const sealer = new StreamSealer(chunkSealer, { chunkBytes, padded: plan.padded });
  const parts = [...pieces(message, pieceBytes)].map((piece) => sealer.add(piece));
  const sealed = [plan.prefix, ...(await Promise.all(parts))];
  for await (const part of sealer.end()) sealed.push(part);
  return concat(...sealed);
}

/** Cuts as a network would: at lengths unrelated to chunks. */
export function* pieces(bytes: Uint8Array, pieceBytes: number): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
}

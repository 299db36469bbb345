/** GHASH (SP 800-38D) and POLYVAL (RFC 8452) over blocks in the memory of the AES module. */
import type { AesModule, Kind } from './aes.ts';

/** Fewer blocks than this are hashed one by one, which needs no tables of powers. */
const MANY_HASHED = 64;

/** The tables of the hash key in SUBKEY. */
export function needHash(module: AesModule, kind: Kind): void {
  if (module.hashKind === kind) return;
  module.functions.prepareHash(kind);
  module.hashKind = kind;
  module.hashesMany = false;
}

/** Hashes whole blocks into HASH. */
export function hashBlocks(module: AesModule, offset: number, blocks: number, kind: Kind): void {
  const { functions } = module;
  let at = offset;
  if (blocks >= MANY_HASHED) {
    if (!module.hashesMany) functions.prepareHashMany();
    module.hashesMany = true;
    const groups = blocks >> 4;
    functions.hashMany(at, groups, kind);
    at += 256 * groups;
  }
  functions.hashFew(at, blocks - ((at - offset) >> 4), kind);
}

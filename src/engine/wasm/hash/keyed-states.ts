import { wipe } from '../../../crypto/bytes.ts';
import { STATE, BUFFER } from '../generator/hash/sha-layout.ts';
import type { ShaMember, ShaModule } from './sha.ts';

/** FIPS 198-1, table 1 */
const IPAD = 0x36;
const OPAD = 0x5c;

/** HMAC under a key: the states after K ⊕ ipad and K ⊕ opad, in the module's form. */
export interface KeyedStates {
  readonly inner: Uint8Array;
  readonly outer: Uint8Array;
}

/** @param key any length; a key longer than a block is hashed first */
export function keyedStates(module: ShaModule, member: ShaMember, key: Uint8Array): KeyedStates {
  const hash = module.hashes[member.name];
  const block = new Uint8Array(member.blockBytes);
  block.set(key.length > member.blockBytes ? hash.digest(key) : key);
  const states = [IPAD, OPAD].map((pad) => {
    module.instance.owner?.leave();
    const { memory } = module;
    memory.copyWithin(STATE, member.initial, member.initial + member.stateBytes);
    for (let i = 0; i < block.length; i++) memory[BUFFER + i] = block[i]! ^ pad;
    module.functions[member.blocks](BUFFER, 1);
    return memory.slice(STATE, STATE + member.stateBytes);
  });
  module.instance.wipe(member.blockBytes);
  wipe(block);
  return { inner: states[0]!, outer: states[1]! };
}

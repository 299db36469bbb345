/*
 * Entry: a worker for one derivation with Argon2id. It blocks no other work, can be terminated at any
 * time, and frees its memory when it ends.
 */
import { wipe } from '../../../src/crypto/bytes.ts';
import { fastestArgon2id } from '../../../src/engine/fastest-argon2id.ts';
import {
  serveOrders,
  type Argon2idAnswer,
  type Argon2idOrder,
} from '../../platform/workers/worker-channel.ts';
import { packagedWasm } from '../../platform/workers/engine-wasm.ts';

/** Relative to this script: in Chromium a worker has no WebExtension API. */
const getUrl = (path: string) => new URL(path, globalThis.location.href).href;
const derive = fastestArgon2id(packagedWasm(getUrl));

async function answerTo({ passphrase, salt, cost }: Argon2idOrder): Promise<Argon2idAnswer> {
  try {
    return { key: await derive(passphrase, salt, cost) };
  } catch (error) {
    const { name, message } = error instanceof Error ? error : new Error('unknown');
    return { name, message };
  } finally {
    wipe(passphrase);
  }
}

serveOrders<{ order: Argon2idOrder; answer: Argon2idAnswer }>(answerTo);

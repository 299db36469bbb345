import type { OddPower } from '../crypto/bigint/odd-power.ts';
import type { Registry } from '../engine/registry.ts';
import type { RecordAlgorithms } from './record-cipher.ts';

/** Records have a few hundred bytes: a call to WebCrypto would take longer than their encryption. */
const REQUEST = { engine: 'auto', thread: 'this', bytes: 1024 } as const;

/** The size of the numbers in the password protocol of an export. */
const POWER_REQUEST = { algorithm: 'DH', engine: 'auto', bytes: 256 } as const;

/** The engines for the records of sync services. */
export class SyncEngine {
  readonly #ready: () => Promise<Registry>;
  #algorithms: Promise<RecordAlgorithms> | undefined;

  /** @param ready the registry, once it is probed */
  constructor(ready: () => Promise<Registry>) {
    this.#ready = ready;
  }

  /** Encrypts and authenticates records. Looked up once. @throws NoEngineError */
  algorithms(): Promise<RecordAlgorithms> {
    this.#algorithms ??= this.#found();
    return this.#algorithms;
  }

  /** Modular exponentiation, for the files that need it. @throws NoEngineError */
  async power(): Promise<OddPower> {
    return (await this.#ready()).run(POWER_REQUEST, ({ power }) => power);
  }

  async #found(): Promise<RecordAlgorithms> {
    const registry = await this.#ready();
    return {
      'AES-CBC': await registry.run({ ...REQUEST, algorithm: 'AES-CBC' }, (found) => found),
      'AES-KW': await registry.run({ ...REQUEST, algorithm: 'AES-KW' }, (found) => found),
      HMAC: await registry.run({ ...REQUEST, algorithm: 'HMAC' }, (found) => found),
    };
  }
}

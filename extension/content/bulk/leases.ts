import type { ChunkAead } from '../../../src/format/format-crypto.ts';
import { NATIVE_CRYPTO } from '../../../src/format/native-crypto.ts';
import type { OpenRelease, SealRelease } from '../../../src/rpc/methods/bulk.ts';
import type { EventName } from '../../../src/rpc/envelope.ts';
import { SealwrightError } from '../../../src/rpc/errors.ts';
import type { Call } from '../../../src/rpc/call.ts';
import type { ParamsIn, ResultIn } from '../../../src/rpc/methods/method.ts';
import type { Later } from '../../../src/rpc/timers.ts';
import { ownBytes } from '../../platform/channels/own-bytes.ts';
import type { Background, BACKGROUND_METHODS } from './forward.ts';
import { Lease } from './lease.ts';

type Params<M extends keyof typeof BACKGROUND_METHODS> = ParamsIn<typeof BACKGROUND_METHODS, M>;
type Capability = Params<'holdsGrant'>['capability'];

/** Of a call, or of what else may be given up. Its AbortSignal would cost more to make than the key. */
export type Abortable = Pick<Call, 'isAborted' | 'onAbort'>;

/** The background's release of one message: its public values, and its key as a lease. */
export type Leased<R> = Omit<R, 'key'> & { readonly aead: Lease };

const GIVEN_BACK = new DOMException('The call was aborted', 'AbortError');

/**
 * All message keys that this frame holds. When the vault locks they are dropped at once; when grants
 * change, each waits until the background has confirmed its grant. The events are counted (`#epoch`),
 * because one may arrive before the answer that carries a key.
 */
export class Leases {
  readonly #background: Background;
  readonly #later: Later;
  readonly #held = new Set<Lease>();
  #epoch = 0;
  #over: Error | undefined;

  constructor(background: Background, later: Later) {
    this.#background = background;
    this.#later = later;
  }

  async forSealing(params: Params<'releaseSeal'>, call: Abortable): Promise<Leased<SealRelease>> {
    const epoch = this.#epoch;
    const release = await this.#released('releaseSeal', params, call);
    return this.#leased(release, 'seal', epoch);
  }

  async forOpening(params: Params<'releaseOpen'>, call: Abortable): Promise<Leased<OpenRelease>> {
    const epoch = this.#epoch;
    const release = await this.#released('releaseOpen', params, call);
    return this.#leased(release, 'open', epoch);
  }

  #released<M extends 'releaseSeal' | 'releaseOpen'>(
    method: M,
    params: Params<M>,
    call: Abortable,
  ): Promise<ResultIn<typeof BACKGROUND_METHODS, M>> {
    if (call.isAborted) throw new DOMException('The call was aborted', 'AbortError');
    const started = this.#background.start(method, params);
    call.onAbort(() => started.abort());
    return started.result;
  }

  async #leased<R extends SealRelease | OpenRelease>(
    { key, ...release }: R,
    capability: Capability,
    epoch: number,
  ): Promise<Leased<R>> {
    const { keyId } = release;
    const direct = await importedKey(key);
    const lease = new Lease({
      aead: withOwnResults(direct),
      direct,
      verify: () => this.#background.call('holdsGrant', { keyId, capability }),
      now: () => performance.now(),
    });
    this.#held.add(lease);
    if (this.#over) lease.end(this.#over);
    if (epoch !== this.#epoch) lease.doubt();
    return { ...release, aead: lease };
  }

  /** Drops the key of a message that is done or given up. */
  giveBack(lease: Lease): void {
    this.#held.delete(lease);
    lease.end(GIVEN_BACK);
  }

  /**
   * Makes a change of grants that this frame's page asked for. From the call on, no result is given out
   * before the background has confirmed its grant. Calls that lose their key fail before the change
   * resolves.
   */
  async whileChanging<T>(change: () => Promise<T>): Promise<T> {
    const changing = change();
    this.#doubt(changing);
    try {
      return await changing;
    } finally {
      this.#epoch++; // for keys that are on their way here
      await this.#settled();
    }
  }

  async #settled(): Promise<void> {
    if (this.#held.size === 0) return;
    await Promise.all([...this.#held].map((lease) => lease.settled()));
    // Failures are sent in later microtasks, and before the answer to the change.
    await new Promise<void>((resolve) => this.#later(resolve));
  }

  onEvent(name: EventName): void {
    if (name !== 'lock' && name !== 'grantchange') return;
    if (name === 'grantchange') {
      this.#doubt();
      return;
    }
    this.#epoch++;
    this.#endAll(new SealwrightError('LOCKED', 'Sealwright is locked'));
  }

  #doubt(change?: Promise<unknown>): void {
    this.#epoch++;
    for (const lease of this.#held) lease.doubt(change);
  }

  /** Ends all leases, now and in future: the extension has gone. */
  end(reason: Error): void {
    this.#over = reason;
    this.#endAll(reason);
  }

  #endAll(reason: Error): void {
    for (const lease of this.#held) lease.end(reason);
    this.#held.clear();
  }
}

async function importedKey(key: Uint8Array): Promise<ChunkAead> {
  const aead = await NATIVE_CRYPTO.aesGcm(key);
  key.fill(0);
  return aead;
}

function withOwnResults(aead: ChunkAead): ChunkAead {
  const own = async (bytes: Promise<Uint8Array>) => ownBytes((await bytes).buffer as ArrayBuffer);
  return {
    seal: (nonce, data) => own(aead.seal(nonce, data)),
    open: (nonce, data) => own(aead.open(nonce, data)),
  };
}

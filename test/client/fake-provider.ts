import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type {
  BatchResult,
  EncryptedRecord,
  Grant,
  GrantRequest,
  ProviderInfo,
  Sealwright,
  SyncRecord,
  SealwrightError as PageError,
} from '../../src/client/page-api.ts';
import { SealwrightError } from '../../src/rpc/errors.ts';
import type { ErrorCode } from '../../src/rpc/errors.ts';

/*
 * The part of the contract that the client uses, over AES-256-GCM with the collection and the id as
 * associated data, so that records open only under their own names.
 */
const KEY = randomBytes(32);

export class FakeProvider extends EventTarget {
  readonly info: ProviderInfo = {
    uuid: '7c1d',
    name: 'Sealwright',
    rdns: 'org.sealwright',
    icon: 'data:,',
    version: '0.1.0',
    api: '1.0.0',
    features: ['connect', 'seal', 'open', 'sync'],
  };
  locked = false;
  granted: Grant[] = [];
  /** The user's answer. */
  answer: 'allow' | 'deny' = 'allow';
  /** The number of records in each call of encryptRecords and decryptRecords. */
  readonly calls: number[] = [];
  /** A call with one of these ids is refused as a whole. */
  readonly refused = new Map<string, ErrorCode>();
  /** Maximum number of records in a call. */
  maxRecords = 10_000;
  /** The next `status` waits for this. */
  statusHeld: Promise<void> | undefined;

  /** The page API. Methods that no test calls are missing. */
  get api(): Sealwright {
    return this as unknown as Sealwright;
  }

  async status() {
    const { locked, granted: grants } = this;
    await this.statusHeld;
    return { locked, grants: locked ? [] : grants, engines: ['native'] };
  }

  connect(request: GrantRequest): Promise<readonly Grant[]> {
    if (this.answer === 'deny') return refusal('USER_REJECTED');
    const { capabilities } = request;
    const id = `grant ${this.granted.length + 1}`;
    this.granted = [
      { id, keyId: 'key 1', capabilities, expiresAt: null, usesLeft: null, maxPerHour: null },
    ];
    this.say('grantchange');
    return Promise.resolve(this.granted);
  }

  say(name: string): void {
    this.dispatchEvent(new Event(name));
  }

  readonly sync = {
    encryptRecords: (collection: string, records: readonly SyncRecord[]) =>
      this.#each<SyncRecord, EncryptedRecord>(records, ({ id, payload, generation, ...rest }) => ({
        ...rest,
        id,
        payload: sealed(JSON.stringify({ payload, generation }), `${collection}/${id}`),
      })),
    decryptRecords: (collection: string, records: readonly EncryptedRecord[]) =>
      this.#each<EncryptedRecord, SyncRecord>(records, ({ id, payload, generation, ...rest }) => {
        const text = opened(payload, `${collection}/${id}`);
        const found = JSON.parse(text) as { payload: unknown; generation?: number };
        if ((found.generation ?? 0) < Number(generation ?? 0)) throw new Error('It is older');
        return { ...rest, id, ...found };
      }),
    loadCollectionKeys: () => Promise.resolve(),
    createCollectionKeys: () => Promise.resolve({ id: 'keys', payload: 'sealed' }),
  };

  sealMany(items: readonly string[], { context = '' } = {}): Promise<BatchResult<Uint8Array>[]> {
    return this.#each(items, (text) => Buffer.from(sealed(text, context)));
  }

  openMany(items: readonly Uint8Array[], { context = '' } = {}) {
    return this.#each(items, (item) => Buffer.from(opened(Buffer.from(item).toString(), context)));
  }

  #each<I, O>(items: readonly I[], work: (item: I) => O): Promise<BatchResult<O>[]> {
    this.calls.push(items.length);
    if (this.locked) return refusal('LOCKED');
    if (items.length > this.maxRecords) return refusal('TOO_LARGE');
    const refused = items.find((item) => this.refused.has(idOf(item)));
    if (refused !== undefined) return refusal(this.refused.get(idOf(refused))!);
    return Promise.resolve(items.map((item) => attempt(() => work(item))));
  }
}

function idOf(item: unknown): string {
  return (item as { id?: string }).id ?? '';
}

function refusal(code: ErrorCode): Promise<never> {
  return Promise.reject(new SealwrightError(code, `refused: ${code}`));
}

function attempt<T>(work: () => T): BatchResult<T> {
  try {
    return { ok: true, value: work() };
  } catch {
    const error = new SealwrightError('AUTH_FAILED', 'It does not open');
    return { ok: false, error: error as unknown as PageError };
  }
}

function sealed(text: string, place: string): string {
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', KEY, iv).setAAD(Buffer.from(place));
  const parts = [iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()];
  return `sw1.${Buffer.concat(parts).toString('base64url')}`;
}

function opened(text: string, place: string): string {
  const bytes = Buffer.from(text.replace(/^sw1\./, ''), 'base64url');
  const decipher = createDecipheriv('aes-256-gcm', KEY, bytes.subarray(0, 12));
  decipher.setAAD(Buffer.from(place)).setAuthTag(bytes.subarray(-16));
  return Buffer.concat([decipher.update(bytes.subarray(12, -16)), decipher.final()]).toString();
}

/** Announces the provider on a target as the extension does, and again at every request. */
export function announce(provider: FakeProvider, target: EventTarget): void {
  const detail = Object.freeze({ info: provider.info, provider });
  const say = () => target.dispatchEvent(new CustomEvent('sealwright:announce', { detail }));
  target.addEventListener('sealwright:request', say);
  say();
}

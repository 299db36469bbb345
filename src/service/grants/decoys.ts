import { toBase64url } from '../../crypto/bytes.ts';
import { then } from '../../engine/awaitable.ts';
import type { Awaitable } from '../../engine/contract.ts';
import { HEADER_BYTES, SALT_BYTES } from '../../format/wire/sealed-length.ts';
import type { Json } from '../../keys/values/json.ts';
import type { Vault, VaultDraft, VaultRecord } from '../../keys/vault/vault.ts';
import { SealwrightError } from '../../rpc/errors.ts';
import type { PiggybackedWrite, Taken } from '../audit/piggybacked-write.ts';
import { frozen } from '../errors.ts';
import { areOfOneKey, type Grant, type KeyOfScope } from './grant-rules.ts';

/*
 * Decoys: messages that a site seals and that its own code never opens. To open one freezes the grant that it was opened
 * under: from then on the grant opens nothing, until the user answers. A decoy is a message like any other; only the
 * vault knows its salt. One record for each site holds the salts of its decoys, and which of its grants are frozen.
 *
 * A grant is frozen by its scope and its key, and not by its id: code in the page can give a grant back and have the user
 * allow another one, which answers another question.
 */

/** How many decoys a site may have: each is looked for whenever the site opens a message. */
export const DECOYS_MAX = 64;

/** How long the user lets a grant go on for, in ms, where they do not let it go on for good. */
export const GO_ON_MS = 3_600_000;

interface Frozen extends KeyOfScope {
  /** ms since the epoch, on the clock of grants. In the future: the user lets it go on until then. */
  readonly from: number;
}

interface SiteDecoys {
  /** base64url of 24 bytes each, oldest first. */
  readonly salts: readonly string[];
  readonly frozen: readonly Frozen[];
}

/** The decoys of all sites as they were read. */
export interface KnownDecoys {
  /** By origin. */
  readonly sites: ReadonlyMap<string, SiteDecoys>;
  readonly areAnyFrozen: boolean;
}

const DECOYS = 'decoys';
const idOf = (origin: string): string => `${DECOYS} ${origin}`;
const NOTHING: SiteDecoys = { salts: [], frozen: [] };

/** A message without recipients: its first bytes, at least to the end of its salt. */
interface Opened {
  /** What the message is bound to. */
  readonly origin: string;
  readonly head: Uint8Array;
}

/** What decoys are built from. */
export interface DecoysDeps {
  readonly vault: Pick<Vault, 'commit' | 'isKnownOpen' | 'list' | 'onForget'>;
  /** The clock of grants, ms since the epoch. */
  readonly clock: { now(): number };
  /** Called once a grant is frozen, before that is stored. */
  readonly onFrozen: (grant: Grant) => void;
}

/** The decoys of all sites, and the grants that are frozen. Methods reject with VaultError LOCKED while the vault is locked. */
export class Decoys implements PiggybackedWrite {
  readonly #deps: DecoysDeps;
  /** As they were read last; undefined once the vault has changed. */
  #known: KnownDecoys | undefined;
  // Grows with every change of the vault: what was read before it is not kept.
  #epoch = 0;
  /** Frozen by this worker, by the id of the grant: a call in flight finds it here at once, and where it could not be stored. */
  readonly #inMemory = new Map<string, Grant>();
  readonly #unsaved = new Map<string, Grant>();

  constructor(deps: DecoysDeps) {
    this.#deps = deps;
    deps.vault.onForget(() => {
      this.#known = undefined;
      this.#epoch++;
    });
  }

  /** At once where nothing has changed since they were read. */
  load(): Awaitable<KnownDecoys> {
    return this.#known && this.#deps.vault.isKnownOpen() ? this.#known : this.#read();
  }

  async #read(): Promise<KnownDecoys> {
    const epoch = this.#epoch;
    const records = await this.#deps.vault.list(DECOYS);
    const sites = new Map(records.map((record) => [originOf(record), decoysOf(record)]));
    const areAnyFrozen = [...sites.values()].some(({ frozen }) => frozen.length > 0);
    const known = { sites, areAnyFrozen };
    if (epoch === this.#epoch) this.#known = known;
    return known;
  }

  /** How many decoys a site has. */
  async countOf(origin: string): Promise<number> {
    return (await this.load()).sites.get(origin)?.salts.length ?? 0;
  }

  /**
   * Makes a message a decoy, before it is given to the page.
   *
   * @param message sealed, without recipients; its prefix suffices
   * @throws SealwrightError TOO_LARGE for more than 64
   */
  async add({ origin, head }: Opened): Promise<void> {
    await this.#deps.vault.commit(async (draft) => {
      const site = await siteIn(draft, origin);
      if (site.salts.length >= DECOYS_MAX) throw tooMany();
      put(draft, origin, { ...site, salts: [...site.salts, saltOf(head)] });
    });
  }

  /** The user forgets the decoys of a site: they become messages like any other. What is frozen stays so. */
  async forget(origin: string): Promise<void> {
    await this.#deps.vault.commit(async (draft) => {
      put(draft, origin, { ...(await siteIn(draft, origin)), salts: [] });
    });
  }

  /**
   * To be called with each message that a grant has opened, before anything of it is given out. Its commitment has held by
   * then, so that a forged message, or one in another's place, freezes nothing.
   *
   * @throws SealwrightError FROZEN for a decoy, and where another call has frozen the grant meanwhile
   */
  checkOpened(grant: Grant, { origin, head }: Opened): Awaitable<void> {
    return then(this.load(), ({ sites }) => {
      const salts = sites.get(origin)?.salts;
      if (salts?.includes(saltOf(head))) return this.#freeze(grant);
      this.requireNotFrozen([grant]);
      return undefined;
    });
  }

  /**
   * To be called before the result of work that opens is given out.
   *
   * @throws SealwrightError FROZEN where one of the grants was frozen meanwhile
   */
  requireNotFrozen(grants: readonly Pick<Grant, 'id'>[]): void {
    if (this.#inMemory.size > 0 && grants.some(({ id }) => this.#inMemory.has(id))) throw frozen();
  }

  async #freeze(grant: Grant): Promise<never> {
    const isNew = !this.#inMemory.has(grant.id);
    this.#inMemory.set(grant.id, grant);
    if (isNew) this.#deps.onFrozen(grant);
    try {
      await this.#deps.vault.commit((draft) => freezeIn(draft, grant, this.#deps.clock.now()));
    } catch {
      this.#unsaved.set(grant.id, grant); // the next commit of the audit log stores it
    }
    throw frozen();
  }

  /** Whether any grant is frozen, or will be: nearly always none is, and then nothing else is looked at. */
  areAnyFrozen(known: KnownDecoys): boolean {
    return known.areAnyFrozen || this.#inMemory.size > 0;
  }

  /** Whether the grant opens nothing now. */
  isFrozen(known: KnownDecoys, grant: Grant): boolean {
    const from = this.frozenFrom(known, grant);
    return from !== null && from <= this.#deps.clock.now();
  }

  /** ms since the epoch: since when it opens nothing, or from when on; null: it is not frozen. */
  frozenFrom({ sites }: KnownDecoys, grant: Grant): number | null {
    const { frozen: all = [] } = sites.get(grant.scope.origin) ?? {};
    const from = all.find((each) => areOfOneKey(each, grant))?.from ?? null;
    if (!this.#inMemory.has(grant.id)) return from;
    return Math.min(from ?? Infinity, this.#deps.clock.now());
  }

  /**
   * The user lets a grant go on: for an hour, after which it is frozen again, or for good. A decoy that is opened
   * meanwhile freezes it anew.
   */
  async letGoOn(grant: Grant, forAnHour: boolean): Promise<void> {
    const until = forAnHour ? this.#deps.clock.now() + GO_ON_MS : undefined;
    await this.#deps.vault.commit((draft) => letGoOnIn(draft, grant, until));
    this.#inMemory.delete(grant.id);
    this.#unsaved.delete(grant.id);
  }

  /** Within the commit in which the user takes grants back: what they allow later is another answer. */
  async endIn(draft: VaultDraft, grants: readonly Grant[]): Promise<void> {
    for (const grant of grants) await letGoOnIn(draft, grant, undefined);
  }

  /** Within a commit, by a clock that was set by so many ms. */
  async moveIn(draft: VaultDraft, byMs: number): Promise<void> {
    for (const record of await draft.list(DECOYS)) {
      const site = decoysOf(record);
      const moved = site.frozen.map((each) => ({ ...each, from: Math.max(0, each.from + byMs) }));
      put(draft, originOf(record), { ...site, frozen: moved });
    }
  }

  take(): Taken {
    const taken = [...this.#unsaved.values()];
    this.#unsaved.clear();
    return {
      write: async (draft) => {
        for (const grant of taken) await freezeIn(draft, grant, this.#deps.clock.now());
      },
      settle: (saved) => {
        if (!saved) for (const grant of taken) this.#unsaved.set(grant.id, grant);
      },
    };
  }
}

/** base64url of the salt of a message without recipients (docs/format.md section 2). */
function saltOf(head: Uint8Array): string {
  return toBase64url(head.subarray(HEADER_BYTES, HEADER_BYTES + SALT_BYTES));
}

function tooMany(): SealwrightError {
  const words = `decoy: a site has at most ${DECOYS_MAX}; the user can forget them, at the site in Sealwright`;
  return new SealwrightError('TOO_LARGE', words);
}

const decoysOf = ({ value }: VaultRecord): SiteDecoys => value as unknown as SiteDecoys;
const originOf = ({ id }: VaultRecord): string => id.slice(idOf('').length);

async function siteIn(draft: VaultDraft, origin: string): Promise<SiteDecoys> {
  const record = await draft.get(idOf(origin));
  return record ? decoysOf(record) : NOTHING;
}

function put(draft: VaultDraft, origin: string, site: SiteDecoys): void {
  const id = idOf(origin);
  const value = site as unknown as Json;
  if (site.salts.length + site.frozen.length === 0) draft.remove(id);
  else draft.put({ id, type: DECOYS, value });
}

async function freezeIn(draft: VaultDraft, { scope, ref }: Grant, from: number): Promise<void> {
  const site = await siteIn(draft, scope.origin);
  const others = site.frozen.filter((each) => !areOfOneKey(each, { scope, ref }));
  put(draft, scope.origin, { ...site, frozen: [...others, { scope, ref, from }] });
}

async function letGoOnIn(
  draft: VaultDraft,
  { scope, ref }: Grant,
  until: number | undefined,
): Promise<void> {
  const site = await siteIn(draft, scope.origin);
  const others = site.frozen.filter((each) => !areOfOneKey(each, { scope, ref }));
  if (others.length === site.frozen.length) return;
  const later: readonly Frozen[] = until === undefined ? [] : [{ scope, ref, from: until }];
  put(draft, scope.origin, { ...site, frozen: [...others, ...later] });
}

import { concat, toBase64url, wipe } from '../../crypto/bytes.ts';
import { Secret } from '../../crypto/secret.ts';
import { openDataKey } from '../../format/keys/data-key.ts';
import { epochNamesIn } from '../../format/recipients/group-key.ts';
import type { Prefix } from '../../format/wire/envelope.ts';
import { NAMED_KEY_RECIPIENT } from '../../format/wire/recipient-table.ts';
import type { RecipientEntry } from '../../format/wire/recipients.ts';
import { HEADER_BYTES } from '../../format/wire/sealed-length.ts';
import type { KeyRing, MessageKey } from '../../keys/ring/key-ring.ts';
import type { ByteList } from '../../rpc/transport/byte-list.ts';
import type { Call } from '../../rpc/call.ts';
import { pageCall, type PageCall } from '../calls/caller.ts';
import type { Grants } from '../grants/grants.ts';
import type { Groups } from './groups.ts';
import type { OwnedIdentity, Sharing } from './sharing.ts';

/** Dependencies of SharedOpening. */
export interface SharedOpeningDeps {
  readonly grants: Grants;
  readonly keyRing: KeyRing;
  readonly sharing: Sharing;
  readonly groups: Groups;
}

/** The data key of a message with recipients, and the key that opened it. The caller wipes the data key. */
export interface SharedKey {
  readonly ref: string;
  /** What the message is bound to, where it is bound. */
  readonly origin: string;
  readonly dataKey: Uint8Array;
}

/** Keeps the data key in a Secret, so that it cannot be printed. */
class SecretDataKey implements SharedKey {
  readonly ref: string;
  readonly origin: string;
  readonly secret: Secret;

  constructor(ref: string, origin: string, dataKey: Uint8Array) {
    this.ref = ref;
    this.origin = origin;
    this.secret = new Secret(dataKey);
  }

  get dataKey(): Uint8Array {
    return this.secret.bytes;
  }
}

/**
 * Opens data keys with the keys that one page has been granted: its sharing keys, and the symmetric key that a header
 * names. Only trying shows which key a message is for. The caller therefore charges the use afterwards, to the grant of
 * the key that opened the message. A message that no key opens costs no use.
 */
export class SharedOpening {
  readonly #call: Call;
  readonly #page: PageCall;
  readonly #deps: SharedOpeningDeps;
  readonly #epochs: ByteList | undefined;
  #granted: Promise<ReadonlySet<string>> | undefined;
  #sharing: Promise<readonly OwnedIdentity[]> | undefined;
  /** By the epochs that messages are for. */
  readonly #ofGroups = new Map<string, Promise<readonly OwnedIdentity[]>>();

  /** @param epochs of groups, as the page gives them */
  constructor(call: Call, deps: SharedOpeningDeps, epochs?: ByteList) {
    this.#call = call;
    this.#page = pageCall(call);
    this.#deps = deps;
    this.#epochs = epochs;
  }

  /**
   * @param head the beginning of the message, up to its first chunk
   * @throws AuthenticationError if no granted key opens it; EnvelopeError NEEDS_KEY, BAD_ENVELOPE for epochs of groups
   */
  async keyOf({ header, recipients }: Prefix, head: Uint8Array): Promise<SharedKey> {
    const types = await this.#deps.sharing.types();
    const named = await this.#named(header.headerKeyId);
    const { entries } = recipients;
    const own = await this.#sharingIdentities();
    const ofGroups = await this.#groupIdentities(entries, own);
    const identities = [...named, ...own, ...ofGroups];
    try {
      const bytes = head.subarray(0, HEADER_BYTES);
      const { dataKey, identity } = await openDataKey(entries, identities, bytes, types);
      // Others seal for the page's own address: only the own copy says that it is of another one.
      const { origin } = named.find((one) => one === identity) ?? this.#page;
      return new SecretDataKey(identity.ref, origin, dataKey);
    } finally {
      wipe(...named.map(({ key }) => key));
    }
  }

  /** Wipes the identities. Call it when the call has ended. */
  async wipe(): Promise<void> {
    const ofGroups = await Promise.allSettled(this.#ofGroups.values());
    const opened = ofGroups.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
    for (const { key } of [...((await this.#sharing) ?? []), ...opened]) wipe(key);
  }

  /** The key that the header names, if the page has a grant for it. */
  async #named(headerKeyId: Uint8Array): Promise<(OwnedIdentity & MessageKey)[]> {
    if (headerKeyId.every((byte) => byte === 0)) return [];
    const { keyRing } = this.#deps;
    const found = await keyRing.keyOfMessage(headerKeyId, this.#page.origin);
    if (found === undefined || !(await this.#refs()).has(found.ref)) return [];
    const material = await keyRing.openingMaterial(headerKeyId, found.origin);
    return material ? [{ type: NAMED_KEY_RECIPIENT, key: material.key, ...found }] : [];
  }

  /** Messages of a batch are often for one epoch: the epochs are checked once for all of them. */
  #groupIdentities(
    entries: readonly RecipientEntry[],
    own: readonly OwnedIdentity[],
  ): Promise<readonly OwnedIdentity[]> {
    const { groups } = this.#deps;
    const names = epochNamesIn(entries);
    const id = names.map(({ group, epoch }) => toBase64url(concat(group, epoch))).join();
    const found = this.#ofGroups.get(id) ?? groups.identities(names, this.#epochs, own, this.#call);
    this.#ofGroups.set(id, found);
    return found;
  }

  /** Includes keys of grants that are used up, so that the call fails with EXPIRED, as for other messages. */
  #refs(): Promise<ReadonlySet<string>> {
    this.#granted ??= this.#deps.grants.refsFor(this.#page.scope, 'open');
    return this.#granted;
  }

  #sharingIdentities(): Promise<readonly OwnedIdentity[]> {
    this.#sharing ??= this.#readIdentities();
    return this.#sharing;
  }

  async #readIdentities(): Promise<readonly OwnedIdentity[]> {
    const refs = await this.#refs();
    return this.#deps.sharing.identities(({ ref }) => refs.has(ref));
  }
}

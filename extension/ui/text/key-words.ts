import { KeyRound, LockKeyhole, LockKeyholeOpen, PenLine, RefreshCw } from 'lucide-preact';
import type { LucideIcon } from 'lucide-preact';
import { kindHas } from '../../../src/rpc/key-kinds.ts';
import type { Capability, KeyKind, MethodCapability } from '../../../src/rpc/key-kinds.ts';
import type { UiKey } from '../environment/ui-client.ts';
import type { MessageKey, Text } from './i18n.ts';
import { formatName } from './sync-formats.ts';

/* What users see of the kinds of key and of what grants allow (src/rpc/key-kinds.ts): messages and icons. */

/** The messages for a kind of key. */
interface KindWords {
  /** What the key is for; absent: its kind is the usual one. */
  readonly purpose?: (key: Pick<UiKey, 'algorithm' | 'origin'>, text: Text) => string;
  /** Its name where the user makes keys; absent: it is not made there. */
  readonly made?: MessageKey;
  /** What its public key is good for; absent: none is shown. */
  readonly publicKey?: MessageKey;
  /** The consent window shows the purpose with each key that it offers, because they differ in it. */
  readonly isTold?: true;
}

type UserKind = Exclude<KeyKind, 'app'>;

const KIND_WORDS: Readonly<Record<UserKind, KindWords>> = {
  sealing: { made: 'keyKindSealing' },
  signing: {
    made: 'keyKindSigning',
    purpose: ({ algorithm }, text) => text.t('keySigns', algorithm ?? ''),
    publicKey: 'publicKeyExplained',
  },
  sync: {
    made: 'keyKindSync',
    purpose: ({ algorithm }, text) => text.t('keySyncs', formatName(algorithm)),
    isTold: true,
  },
  sharing: {},
  jose: { purpose: ({ origin }, text) => text.t('keyForTokens', origin ?? '') },
  age: { purpose: (_, text) => text.t('keyOpensAge'), publicKey: 'ageRecipientExplained' },
};

/** The kinds that the form for new keys offers, in its order. Keys for sharing are made with the contacts. */
export const MADE_KINDS = (Object.keys(KIND_WORDS) as UserKind[]).flatMap((value) => {
  const { made } = KIND_WORDS[value];
  return made !== undefined && kindHas(value, 'isMadeByUser') ? [{ value, made }] : [];
});

/** The messages for the kind of a key. The keys of sites have none. */
export function kindWords(kind: KeyKind): KindWords {
  return kind === 'app' ? {} : KIND_WORDS[kind];
}

/** The messages for a capability. */
export interface CapabilityWords {
  readonly name: MessageKey;
  /** What it lets a site do. */
  readonly detail: MessageKey;
  /** What a request for it warns of, and the id of the warning's element. */
  readonly warning?: { readonly id: string; readonly words: MessageKey };
}

/** Of one that methods name: what the audit log shows of a use. */
interface UseWords extends CapabilityWords {
  readonly done: MessageKey;
  readonly Icon: LucideIcon;
}

const INDEX_WARNING = { id: 'index-warning', words: 'indexWarning' } as const;
const SIGN_WARNING = { id: 'sign-warning', words: 'signWarning' } as const;

const CAPABILITY_WORDS: Readonly<
  Record<Capability, CapabilityWords> & Record<MethodCapability, UseWords>
> = {
  seal: {
    name: 'capabilitySeal',
    detail: 'capabilitySealDetail',
    done: 'activitySeal',
    Icon: LockKeyhole,
  },
  open: {
    name: 'capabilityOpen',
    detail: 'capabilityOpenDetail',
    done: 'activityOpen',
    Icon: LockKeyholeOpen,
  },
  mac: {
    name: 'capabilityMac',
    detail: 'capabilityMacDetail',
    done: 'activityMac',
    Icon: LockKeyhole,
  },
  blindIndex: {
    name: 'capabilityBlindIndex',
    detail: 'capabilityBlindIndexDetail',
    done: 'activityBlindIndex',
    Icon: LockKeyhole,
    warning: INDEX_WARNING,
  },
  sync: {
    name: 'capabilitySync',
    detail: 'capabilitySyncDetail',
    done: 'activitySync',
    Icon: RefreshCw,
  },
  sign: {
    name: 'capabilitySign',
    detail: 'capabilitySignDetail',
    done: 'activitySign',
    Icon: PenLine,
    warning: SIGN_WARNING,
  },
  publicKey: {
    name: 'capabilityPublicKey',
    detail: 'capabilityPublicKeyDetail',
    done: 'activityPublicKey',
    Icon: KeyRound,
  },
  signToken: {
    name: 'capabilitySignToken',
    detail: 'capabilitySignTokenDetail',
    warning: SIGN_WARNING,
  },
  openToken: { name: 'capabilityOpenToken', detail: 'capabilityOpenTokenDetail' },
};

/** An unknown capability is shown as unknown, so that it is never granted unnoticed. */
const UNKNOWN: CapabilityWords = {
  name: 'capabilityUnknown',
  detail: 'capabilityUnknownDetail',
};

/** The messages for a capability by its name in the page API. */
export function capabilityWords(capability: string): CapabilityWords {
  const isKnown = Object.hasOwn(CAPABILITY_WORDS, capability);
  return isKnown ? CAPABILITY_WORDS[capability as Capability] : UNKNOWN;
}

/** The messages for the use of a key, by what its grant had to allow. */
export const wordsOfUse = (capability: MethodCapability): UseWords => CAPABILITY_WORDS[capability];

import { readPublished } from '../../support/vectors.ts';

/** test/vectors/weave.json */
export interface WeaveVectors {
  readonly display: readonly { readonly hex: string; readonly shown: string }[];
  readonly usernames: readonly { readonly account: string; readonly username: string }[];
  readonly passphraseUpgrade: Readonly<Record<'passphrase' | 'salt' | 'key' | 'shown', string>>;
  readonly bundles: readonly (Halves & Readonly<Record<'username' | 'syncKey', string>>)[];
  readonly accounts: readonly (Halves & { readonly kB: string; readonly clientState?: string })[];
  readonly oldsyncJwk: ScopedVector;
  readonly scopedKeys: readonly (ScopedVector &
    Readonly<Record<'uid' | 'rotationSecret' | 'identifier', string>>)[];
  readonly keysJwe: {
    readonly privateJwk: JsonWebKey;
    readonly jwe: string;
    readonly kid: string;
    readonly k: string;
  };
  readonly raw: Halves & Readonly<Record<'iv' | 'cleartext' | 'ciphertext' | 'hmac', string>>;
  readonly chains: readonly Chain[];
  readonly kinto: Payload & {
    readonly keys: readonly [string, string];
    readonly id: string;
    readonly status: string;
  };
  readonly legacy: Readonly<
    Record<
      | 'passphrase'
      | 'salt'
      | 'iv'
      | 'passphraseKey'
      | 'privateKeyData'
      | 'publicKeyData'
      | 'wrapped'
      | 'hmac'
      | 'aesKey',
      string
    >
  >;
}

interface Halves {
  readonly encryptionKey: string;
  readonly hmacKey: string;
}

interface ScopedVector {
  readonly kB: string;
  readonly rotatedAt: number;
  readonly kid: string;
  readonly k: string;
}

export interface Payload {
  readonly IV: string;
  readonly hmac: string;
  readonly ciphertext: string;
}

/** From the user's secret to a record. */
export interface Chain {
  readonly from: string;
  readonly username?: string;
  readonly syncKey?: string;
  readonly kB?: string;
  readonly keys: Payload;
  readonly defaultKeys: readonly [string, string];
  readonly id: string;
  readonly record: Payload;
  /** One member of the cleartext. */
  readonly member: readonly [string, unknown];
}

export const WEAVE = readPublished('weave.json') as WeaveVectors;

export const fromHexText = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(Buffer.from(text, 'hex'));
export const fromBase64Text = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(Buffer.from(text, 'base64'));
export const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

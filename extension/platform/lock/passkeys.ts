/*
 * Passkeys that unlock the vault, by the PRF extension of WebAuthn Level 3 (section 10.1.4): for a salt,
 * the authenticator returns 32 bytes that nothing else can compute. The relying party is the extension
 * itself. There is no server, so challenges are random and signatures are not verified.
 */

/** What a slot stores in clear, to query the authenticator again. */
export interface PasskeyCredential {
  /** 1 … 1,023 bytes */
  readonly credentialId: Uint8Array;
  /** 32 bytes: the PRF's input. */
  readonly prfSalt: Uint8Array;
}

/** The outputs of the PRF, 32 bytes each, which the caller wipes. */
export interface PasskeyOutputs {
  /** For the salt of the slot. */
  readonly output: Uint8Array;
  /** For CIRCLE_INPUT; absent from an authenticator that takes one input at a time. */
  readonly circleOutput?: Uint8Array;
}

export interface NewPasskey extends PasskeyCredential, PasskeyOutputs {}

/**
 * The PRF's input by which a passkey is a member of a circle (docs/design/sync.md): 25 bytes, the same for every vault, because a
 * browser without one knows no salt.
 */
export const CIRCLE_INPUT: Uint8Array = new TextEncoder().encode('SWM1 circle passkey input');

/**
 * CANCELLED: by the user, or there was no passkey of this extension (browsers report both alike).
 * KNOWN: this authenticator has one already. NO_PRF: it does not support the PRF extension.
 */
export type PasskeyProblem = 'PASSKEY_CANCELLED' | 'PASSKEY_KNOWN' | 'PASSKEY_NO_PRF';

export class PasskeyError extends Error {
  readonly code: PasskeyProblem;
  constructor(code: PasskeyProblem) {
    super(code);
    this.code = code;
  }
}

/** WebAuthn Level 3, section 5.8.5: ES256, which every authenticator has, then EdDSA and RS256. */
const ALGORITHMS = [-7, -8, -257];
const TIMEOUT_MS = 120_000;

/** Names of the browsers' DOMExceptions (WebAuthn Level 3, sections 5.1.3 and 5.1.4). */
const PROBLEMS: Readonly<Record<string, PasskeyProblem>> = {
  NotAllowedError: 'PASSKEY_CANCELLED',
  AbortError: 'PASSKEY_CANCELLED',
  InvalidStateError: 'PASSKEY_KNOWN',
};

/** All methods throw PasskeyError, and work only in a page that has the focus. */
export class Passkeys {
  readonly #container: CredentialsContainer;

  constructor(container: CredentialsContainer) {
    this.#container = container;
  }

  /**
   * Creates a passkey on an authenticator that holds none of `existing`. Queries the authenticator twice
   * where it evaluates the PRF only for existing passkeys.
   *
   * @param name shown in the user's list of passkeys
   */
  async make(name: string, existing: readonly PasskeyCredential[]): Promise<NewPasskey> {
    const prfSalt = random(32);
    const publicKey: PublicKeyCredentialCreationOptions = {
      rp: { name },
      // A new id each time: an authenticator keeps one passkey for each of them.
      user: { id: random(16), name, displayName: name },
      challenge: random(32),
      pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key', alg })),
      authenticatorSelection: { residentKey: 'preferred', userVerification: 'required' },
      excludeCredentials: existing.map(descriptor),
      // With the salt at once: Windows Hello refuses an empty `prf`.
      extensions: { prf: { eval: { first: prfSalt, second: own(CIRCLE_INPUT) } } },
      timeout: TIMEOUT_MS,
    };
    const made = await named(this.#container.create({ publicKey }));
    const credential = { credentialId: new Uint8Array(made.rawId), prfSalt };
    const { prf } = made.getClientExtensionResults();
    const hasPrf = prf?.results !== undefined || prf?.enabled === true;
    if (!hasPrf) throw new PasskeyError('PASSKEY_NO_PRF');
    const outputs = outputsOf(prf.results) ?? (await this.#evaluate([credential]));
    return { ...credential, ...outputs };
  }

  /**
   * Evaluates the PRF of one of the passkeys.
   *
   * @returns 32 bytes, which the caller wipes
   */
  async evaluate(existing: readonly PasskeyCredential[]): Promise<Uint8Array> {
    const { output, circleOutput } = await this.#evaluate(existing);
    circleOutput?.fill(0);
    return output;
  }

  /**
   * Evaluates the PRF of any passkey of this extension, for a browser that knows none: the user chooses one that the
   * authenticator lists.
   *
   * @returns 32 bytes for CIRCLE_INPUT, which the caller wipes
   */
  async evaluateForCircle(): Promise<Uint8Array> {
    return (await this.#ask([], { eval: { first: own(CIRCLE_INPUT) } })).output;
  }

  #evaluate(existing: readonly PasskeyCredential[]): Promise<PasskeyOutputs> {
    const evalByCredential = Object.fromEntries(
      existing.map(({ credentialId, prfSalt }) => [
        base64url(credentialId),
        { first: own(prfSalt), second: own(CIRCLE_INPUT) },
      ]),
    );
    return this.#ask(existing, { evalByCredential });
  }

  async #ask(
    existing: readonly PasskeyCredential[],
    prf: AuthenticationExtensionsPRFInputs,
  ): Promise<PasskeyOutputs> {
    const publicKey: PublicKeyCredentialRequestOptions = {
      challenge: random(32),
      allowCredentials: existing.map(descriptor),
      userVerification: 'required',
      extensions: { prf },
      timeout: TIMEOUT_MS,
    };
    const asserted = await named(this.#container.get({ publicKey }));
    const outputs = outputsOf(asserted.getClientExtensionResults().prf?.results);
    if (outputs === undefined) throw new PasskeyError('PASSKEY_NO_PRF');
    return outputs;
  }
}

/**
 * The passkeys of this page; null where the browser supports none for extensions. Firefox accepts only a
 * web site's domain as relying party (measured in 153: SecurityError).
 */
export async function ownPasskeys(): Promise<Passkeys | null> {
  if (location.protocol !== 'chrome-extension:' || !('PublicKeyCredential' in globalThis)) {
    return null;
  }
  return (await knowsPrf()) ? new Passkeys(navigator.credentials) : null;
}

/** Chromium before 133 cannot say. There, `make` fails with NO_PRF. */
async function knowsPrf(): Promise<boolean> {
  if (!('getClientCapabilities' in PublicKeyCredential)) return true;
  return (await PublicKeyCredential.getClientCapabilities())['extension:prf'] !== false;
}

async function named(asked: Promise<Credential | null>): Promise<PublicKeyCredential> {
  try {
    const credential = await asked;
    if (credential === null) throw new PasskeyError('PASSKEY_CANCELLED');
    return credential as PublicKeyCredential;
  } catch (error) {
    const name = error instanceof Error ? error.name : '';
    throw Object.hasOwn(PROBLEMS, name) ? new PasskeyError(PROBLEMS[name]!) : error;
  }
}

const descriptor = ({ credentialId }: PasskeyCredential): PublicKeyCredentialDescriptor => ({
  type: 'public-key',
  id: own(credentialId),
});

const random = (bytes: number) => crypto.getRandomValues(new Uint8Array(bytes));

/** A copy over its own buffer, as the types of WebIDL require. */
const own = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => bytes.slice();

function outputsOf(results: AuthenticationExtensionsPRFValues | undefined) {
  const [output, circleOutput] = [bytesOf(results?.first), bytesOf(results?.second)];
  return output && { output, ...(circleOutput && { circleOutput }) };
}

function bytesOf(source: BufferSource | undefined): Uint8Array | undefined {
  if (source === undefined) return undefined;
  if (source instanceof ArrayBuffer) return new Uint8Array(source);
  const { buffer, byteOffset, byteLength } = source as ArrayBufferView;
  return new Uint8Array(buffer, byteOffset, byteLength);
}

/** RFC 4648 section 5, without padding: the names of `evalByCredential`. */
function base64url(bytes: Uint8Array): string {
  const base64 = btoa(String.fromCharCode(...bytes));
  return base64.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

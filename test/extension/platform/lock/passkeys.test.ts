import { expect } from 'chai';
import {
  CIRCLE_INPUT,
  PasskeyError,
  Passkeys,
} from '../../../../extension/platform/lock/passkeys.ts';

const OUTPUT = new Uint8Array(32).fill(7);
const ID = Uint8Array.of(0xfb, 0xef, 0xff, 1);

type Prf = AuthenticationExtensionsPRFOutputs | undefined;
type Options = CredentialCreationOptions & CredentialRequestOptions;

/** A browser whose authenticator answers as it is told, and remembers what it was asked. */
class FakeCredentials {
  readonly asked: Options[] = [];
  readonly #answers: (Prf | Error | null)[];

  constructor(...answers: (Prf | Error | null)[]) {
    this.#answers = answers;
  }

  create = (options?: Options) => this.#answer(options!);
  get = (options?: Options) => this.#answer(options!);

  async #answer(options: Options): Promise<Credential | null> {
    this.asked.push(options);
    const answer = this.#answers.shift();
    await Promise.resolve();
    if (answer instanceof Error) throw answer;
    if (answer === null) return null;
    const getClientExtensionResults = () => (answer ? { prf: answer } : {});
    return { rawId: ID.buffer, getClientExtensionResults } as unknown as Credential;
  }
}

const passkeysOf = (fake: FakeCredentials) => new Passkeys(fake as unknown as CredentialsContainer);

const named = (name: string) => Object.assign(new Error('as asked'), { name });

async function problemOf(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return error instanceof PasskeyError ? error.code : String(error);
}

describe('passkeys', () => {
  it('are made for the salt that is kept beside them', async () => {
    const fake = new FakeCredentials({ enabled: true, results: { first: OUTPUT.buffer } });
    const made = await passkeysOf(fake).make('Sealwright', []);
    expect(made.credentialId).to.deep.equal(ID);
    expect(made.output).to.deep.equal(OUTPUT);
    const { extensions, authenticatorSelection } = fake.asked[0]!.publicKey!;
    expect(extensions?.prf?.eval?.first).to.deep.equal(made.prfSalt);
    expect(authenticatorSelection?.userVerification).to.equal('required');
    expect(fake.asked).to.have.lengthOf(1);
  });

  it('are asked a second time where the first gives no output', async () => {
    const fake = new FakeCredentials({ enabled: true }, { results: { first: OUTPUT.buffer } });
    const made = await passkeysOf(fake).make('Sealwright', []);
    expect(made.output).to.deep.equal(OUTPUT);
    const { evalByCredential } = fake.asked[1]!.publicKey!.extensions!.prf!;
    expect(Object.keys(evalByCredential!)).to.deep.equal(['--__AQ']);
    expect(evalByCredential!['--__AQ']!.first).to.deep.equal(made.prfSalt);
  });

  it('give a second output for an input that depends on no vault, which any browser can ask for', async () => {
    const second = new Uint8Array(32).fill(9);
    const both = { first: OUTPUT.buffer, second: second.buffer };
    const fake = new FakeCredentials(
      { enabled: true, results: both },
      { results: { first: second.buffer } },
      { results: both },
      { results: {} as AuthenticationExtensionsPRFValues },
    );
    const passkeys = passkeysOf(fake);
    expect((await passkeys.make('Sealwright', [])).circleOutput).to.deep.equal(second);
    expect(await passkeys.evaluateForCircle()).to.deep.equal(second);
    expect(await passkeys.evaluate([{ credentialId: ID, prfSalt: OUTPUT }])).to.deep.equal(OUTPUT);
    const [made, asked, unlock] = fake.asked.map(({ publicKey }) => publicKey!);
    expect(made!.extensions!.prf!.eval!.second).to.deep.equal(CIRCLE_INPUT);
    expect(asked!.extensions!.prf).to.deep.equal({ eval: { first: CIRCLE_INPUT } });
    expect(asked!.allowCredentials).to.deep.equal([]);
    expect(unlock!.extensions!.prf!.evalByCredential!['--__AQ']!.second).to.deep.equal(
      CIRCLE_INPUT,
    );
    expect(await problemOf(passkeys.evaluateForCircle())).to.equal('PASSKEY_NO_PRF');
  });

  it('draw salt, challenge and user anew each time', async () => {
    const answer = { enabled: true, results: { first: OUTPUT.buffer } };
    const fake = new FakeCredentials(answer, answer);
    const passkeys = passkeysOf(fake);
    const [a, b] = [await passkeys.make('x', []), await passkeys.make('x', [])];
    expect(a.prfSalt).to.not.deep.equal(b.prfSalt);
    const [first, second] = fake.asked.map(({ publicKey }) => publicKey!);
    expect(first!.challenge).to.not.deep.equal(second!.challenge);
    expect(first!.user.id).to.not.deep.equal(second!.user.id);
  });

  it('exclude those that are known, and ask for any of them', async () => {
    const known = [{ credentialId: ID, prfSalt: new Uint8Array(32).fill(5) }];
    const results = { first: OUTPUT.buffer };
    const fake = new FakeCredentials({ enabled: true, results }, { results });
    const passkeys = passkeysOf(fake);
    await passkeys.make('Sealwright', known);
    expect(await passkeys.evaluate(known)).to.deep.equal(OUTPUT);
    const [made, asked] = fake.asked.map(({ publicKey }) => publicKey!);
    expect(made!.excludeCredentials![0]!.id).to.deep.equal(ID);
    expect(asked!.allowCredentials![0]!.id).to.deep.equal(ID);
  });

  for (const [what, answer, code] of [
    ['has no PRF', { enabled: false }, 'PASSKEY_NO_PRF'],
    ['does not know the extension', undefined, 'PASSKEY_NO_PRF'],
    ['is cancelled', named('NotAllowedError'), 'PASSKEY_CANCELLED'],
    ['gives none', null, 'PASSKEY_CANCELLED'],
    ['has one already', named('InvalidStateError'), 'PASSKEY_KNOWN'],
    ['fails otherwise', named('SecurityError'), 'SecurityError: as asked'],
  ] as const) {
    it(`say so where the authenticator ${what}`, async () => {
      const passkeys = passkeysOf(new FakeCredentials(answer));
      expect(await problemOf(passkeys.make('Sealwright', []))).to.equal(code);
    });
  }

  it('say so where the second answer has no output either', async () => {
    const passkeys = passkeysOf(new FakeCredentials({ enabled: true }, {}));
    expect(await problemOf(passkeys.make('Sealwright', []))).to.equal('PASSKEY_NO_PRF');
  });
});

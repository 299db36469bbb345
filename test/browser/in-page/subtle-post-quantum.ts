/*
 * A function that runs in a page: it is sent there as text, so it holds all that it needs.
 */
import type { SealwrightSubtle } from '../../../src/client/page-types.ts';

declare const sealwright: { readonly subtle: SealwrightSubtle };

/** What went wrong, and which algorithms the page's own crypto.subtle has too. */
export async function postQuantum(): Promise<{ faults: string[]; compared: string[] }> {
  const ours = sealwright.subtle;
  // It has the same methods where it has the algorithms.
  const own = crypto.subtle as SealwrightSubtle;
  const [faults, compared]: [string[], string[]] = [[], []];
  const hex = (buffer: ArrayBuffer) => new Uint8Array(buffer).toString();
  const check = (what: string, isRight: boolean) => {
    if (!isRight) faults.push(what);
  };
  const nameOf = (error: unknown) => (error as Error).name;
  const has = (name: string) => own.generateKey({ name }, true, []).catch(nameOf);

  for (const name of ['ML-KEM-512', 'ML-KEM-768', 'ML-KEM-1024', 'MLKEM768-X25519']) {
    const usages = [
      'encapsulateKey',
      'encapsulateBits',
      'decapsulateKey',
      'decapsulateBits',
    ] as const;
    const pair = (await ours.generateKey({ name }, true, usages)) as CryptoKeyPair;
    const gcm = { name: 'AES-GCM', length: 256 };
    const made = await ours.encapsulateKey(name, pair.publicKey, gcm, true, ['encrypt']);
    const args = [name, pair.privateKey, made.ciphertext] as const;
    const same = await ours.decapsulateKey(...args, gcm, true, ['encrypt']);
    const raw = await ours.exportKey('raw', same);
    check(`${name}: keys`, hex(raw) === hex(await ours.exportKey('raw', made.sharedKey)));
    check(`${name}: bits`, hex(await ours.decapsulateBits(...args)) === hex(raw));
    const publicKey = await ours.exportKey('raw-public', pair.publicKey);
    const half = await ours.getPublicKey(pair.privateKey, ['encapsulateBits']);
    check(`${name}: half`, hex(await ours.exportKey('raw-public', half)) === hex(publicKey));
    check(`${name}: supports`, ours.supports('encapsulateKey', name, 'AES-GCM'));
    const short = ours.decapsulateBits(name, pair.privateKey, new Uint8Array(5));
    check(`${name}: short`, (await short.catch(nameOf)) === 'OperationError');
    if ((await has(name)) !== 'SyntaxError') continue;
    compared.push(name);
    const jwk = await ours.exportKey('jwk', pair.privateKey);
    const bits = ['decapsulateBits'] as const;
    const theirs = await own.importKey('jwk', { ...jwk, key_ops: [...bits] }, name, true, bits);
    check(
      `${name}: theirs`,
      hex(await own.decapsulateBits(name, theirs, made.ciphertext)) === hex(raw),
    );
    const imported = await own.importKey('raw-public', publicKey, name, true, ['encapsulateBits']);
    const sent = await own.encapsulateBits(name, imported);
    const got = await ours.decapsulateBits(name, pair.privateKey, sent.ciphertext);
    check(`${name}: ours`, hex(got) === hex(sent.sharedKey));
  }

  for (const name of ['ML-DSA-44', 'ML-DSA-65', 'ML-DSA-87', 'SLH-DSA-SHA2-128f', 'Ed448']) {
    const pair = (await ours.generateKey({ name }, true, ['sign', 'verify'])) as CryptoKeyPair;
    const algorithm = { name, context: Uint8Array.of(1, 2) };
    const data = new Uint8Array(1000);
    const signature = await ours.sign(algorithm, pair.privateKey, data);
    check(`${name}: verify`, await ours.verify(algorithm, pair.publicKey, signature, data));
    check(`${name}: context`, !(await ours.verify({ name }, pair.publicKey, signature, data)));
    if ((await has(name)) !== 'SyntaxError') continue;
    compared.push(name);
    const [spki, pkcs8] = [
      await ours.exportKey('spki', pair.publicKey),
      await ours.exportKey('pkcs8', pair.privateKey),
    ];
    const verifier = await own.importKey('spki', spki, name, true, ['verify']);
    check(`${name}: theirs`, await own.verify(algorithm, verifier, signature, data));
    const signer = await own.importKey('pkcs8', pkcs8, name, true, ['sign']);
    const other = await own.sign(algorithm, signer, data);
    check(`${name}: ours`, await ours.verify(algorithm, pair.publicKey, other, data));
  }

  const [a, b] = (await Promise.all(
    [1, 2].map(() => ours.generateKey({ name: 'X448' }, true, ['deriveBits'])),
  )) as [CryptoKeyPair, CryptoKeyPair];
  const agree = async (secret: CryptoKey, peer: CryptoKey) =>
    hex(await ours.deriveBits({ name: 'X448', public: peer }, secret));
  const agreed = await agree(a.privateKey, b.publicKey);
  check('X448: agree', agreed === (await agree(b.privateKey, a.publicKey)));
  const again = await ours.importKey(
    'jwk',
    await ours.exportKey('jwk', a.privateKey),
    { name: 'X448' },
    false,
    ['deriveBits'],
  );
  check('X448: jwk', agreed === (await agree(again, b.publicKey)));
  const zero = await ours.importKey('raw', new Uint8Array(56), { name: 'X448' }, true, []);
  check('X448: zero', (await agree(a.privateKey, zero).catch(nameOf)) === 'OperationError');

  const slow = { name: 'SLH-DSA-SHA2-128s' };
  const pair = (await ours.generateKey(slow, true, ['sign', 'verify'])) as CryptoKeyPair;
  const refused = ours.sign(slow, pair.privateKey, new Uint8Array(1));
  check('the bound of SLH-DSA', (await refused.catch(nameOf)) === 'OperationError');
  return { faults, compared };
}

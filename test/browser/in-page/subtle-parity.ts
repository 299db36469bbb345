/*
 * Functions that run in a page: each is sent there as text, so it holds all that it needs.
 */
declare const sealwright: { readonly subtle: SubtleCrypto };

/** What both give for the same input; keys go from one to the other in their formats. */
export async function comparisons(): Promise<{ name: string; outcome: string }[]> {
  const [ours, own] = [sealwright.subtle, crypto.subtle];
  const bytes = (length: number) => Uint8Array.from({ length }, (_, i) => i);
  const data = bytes(5000);
  const hex = (buffer: ArrayBuffer) => new Uint8Array(buffer).toString();
  type Work = (subtle: SubtleCrypto) => Promise<ArrayBuffer>;
  const cipher =
    (algorithm: Algorithm): Work =>
    async (one) => {
      const key = await one.importKey('raw', bytes(32), algorithm, true, ['encrypt', 'decrypt']);
      const sealed = await one.encrypt(algorithm, key, data);
      const opened = await one.decrypt(algorithm, key, sealed);
      return hex(opened) === data.toString() ? sealed : new ArrayBuffer(0);
    };
  const deriving =
    (algorithm: Algorithm): Work =>
    async (one) => {
      const key = await one.importKey('raw', bytes(20), algorithm.name, false, ['deriveBits']);
      return one.deriveBits(algorithm, key, 512);
    };
  const same: Record<string, Work> = {
    'AES-GCM': cipher({ name: 'AES-GCM', iv: bytes(12) } as Algorithm),
    'AES-CTR': cipher({ name: 'AES-CTR', counter: bytes(16), length: 64 } as Algorithm),
    'AES-CBC': cipher({ name: 'AES-CBC', iv: bytes(16) } as Algorithm),
    HKDF: deriving({ name: 'HKDF', hash: 'SHA-256', salt: bytes(8), info: bytes(4) } as Algorithm),
    PBKDF2: deriving({
      name: 'PBKDF2',
      hash: 'SHA-512',
      salt: bytes(8),
      iterations: 1000,
    } as Algorithm),
    'AES-KW': async (one) => {
      const kw = await one.importKey('raw', bytes(16), 'AES-KW', false, ['wrapKey']);
      const key = await one.importKey('raw', bytes(32), 'AES-GCM', true, ['encrypt']);
      return one.wrapKey('raw', key, kw, 'AES-KW');
    },
    HMAC: async (one) => {
      const algorithm = { name: 'HMAC', hash: 'SHA-384' };
      const key = await one.importKey('raw', bytes(50), algorithm, false, ['sign']);
      return one.sign('HMAC', key, data);
    },
  };
  for (const hash of ['SHA-1', 'SHA-256', 'SHA-384', 'SHA-512']) {
    same[hash] = (one) => one.digest(hash, data);
  }
  const results: { name: string; outcome: string }[] = [];
  for (const [name, work] of Object.entries(same)) {
    try {
      const [a, b] = [hex(await work(ours)), hex(await work(own))];
      results.push({ name, outcome: a === b ? 'same' : `${a} ${b}` });
    } catch (error) {
      results.push({ name, outcome: String(error) });
    }
  }
  const hash = 'SHA-256';
  const rsa = { hash, modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]) };
  const signing: (Algorithm & object)[] = [
    { name: 'ECDSA', namedCurve: 'P-256', hash } as Algorithm,
    { name: 'RSA-PSS', saltLength: 32, ...rsa } as Algorithm,
    { name: 'RSASSA-PKCS1-v1_5', ...rsa },
    { name: 'Ed25519' },
  ];
  for (const algorithm of signing) {
    const { name } = algorithm;
    try {
      const pair = (await ours.generateKey(algorithm, true, ['sign', 'verify'])) as CryptoKeyPair;
      const spki = await ours.exportKey('spki', pair.publicKey);
      const jwk = await ours.exportKey('jwk', pair.privateKey);
      const peer = await own.importKey('spki', spki, algorithm, true, ['verify']);
      const secret = await own.importKey('jwk', jwk, algorithm, true, ['sign']);
      const isVerified =
        (await own.verify(
          algorithm,
          peer,
          await ours.sign(algorithm, pair.privateKey, data),
          data,
        )) &&
        (await ours.verify(
          algorithm,
          pair.publicKey,
          await own.sign(algorithm, secret, data),
          data,
        ));
      results.push({ name, outcome: isVerified ? 'same' : 'not verified' });
    } catch (error) {
      results.push({ name, outcome: String(error) });
    }
  }
  const ecdh = { name: 'ECDH', namedCurve: 'P-384' };
  const [a, b] = [
    await ours.generateKey(ecdh, true, ['deriveBits']),
    await own.generateKey(ecdh, true, ['deriveBits']),
  ];
  const toOurs = await own.exportKey('raw', b.publicKey);
  const toOwn = await ours.exportKey('raw', a.publicKey);
  const peers = [
    await ours.importKey('raw', toOurs, ecdh, true, []),
    await own.importKey('raw', toOwn, ecdh, true, []),
  ] as const;
  const secrets = [
    await ours.deriveBits({ name: 'ECDH', public: peers[0] }, a.privateKey, 384),
    await own.deriveBits({ name: 'ECDH', public: peers[1] }, b.privateKey, 384),
  ].map(hex);
  results.push({ name: 'ECDH', outcome: secrets[0] === secrets[1] ? 'same' : secrets.join() });
  return results;
}

export async function mistakes(): Promise<{ mistake: string; ours: string; theirs: string }[]> {
  const GCM = { name: 'AES-GCM', length: 256 };
  const iv = { name: 'AES-GCM', iv: new Uint8Array(12) };
  const data = new Uint8Array(40);
  const key = (one: SubtleCrypto, usages: KeyUsage[], name = 'AES-GCM') =>
    one.importKey('raw', new Uint8Array(32), name, false, usages);
  const all: Record<string, (one: SubtleCrypto) => Promise<unknown>> = {
    'unknown hash': (one) => one.digest('MD5', data),
    'no name': (one) => one.digest({} as Algorithm, data),
    'no bytes': (one) => one.digest('SHA-256', 'text' as never),
    'shared memory': (one) => one.digest('SHA-256', null as never),
    'no usages': (one) => one.generateKey(GCM, true, []),
    'wrong usages': (one) => one.generateKey(GCM, true, ['sign']),
    'unknown usages': (one) => one.generateKey(GCM, true, ['eat' as never]),
    'wrong length': (one) => one.generateKey({ ...GCM, length: 100 }, true, ['encrypt']),
    'no length': (one) => one.generateKey({ name: 'AES-GCM' } as never, true, ['encrypt']),
    'no modulus': (one) => one.generateKey({ name: 'RSA-PSS' } as never, true, ['sign']),
    'unknown curve': (one) =>
      one.generateKey({ name: 'ECDSA', namedCurve: 'P-1' } as never, true, ['sign']),
    'wrong key bytes': (one) =>
      one.importKey('raw', new Uint8Array(5), 'AES-GCM', true, ['encrypt']),
    'unknown format': (one) => one.importKey('pem' as 'raw', data, 'HKDF', false, []),
    'bytes for a JWK': (one) => one.importKey('jwk', data as never, 'AES-GCM', true, ['encrypt']),
    'empty JWK': (one) => one.importKey('jwk', {}, 'AES-GCM', true, ['encrypt']),
    'hidden JWK': (one) => {
      const jwk = { kty: 'oct', k: 'AAAAAAAAAAAAAAAAAAAAAA', ext: false };
      return one.importKey('jwk', jwk, 'AES-GCM', true, ['encrypt']);
    },
    'extractable HKDF': (one) => one.importKey('raw', data, 'HKDF', true, ['deriveBits']),
    'not extractable': async (one) => one.exportKey('raw', await key(one, ['encrypt'])),
    'other key': async (one) => one.encrypt(iv, await key(one, ['encrypt'], 'AES-CBC'), data),
    'other usage': async (one) => one.encrypt(iv, await key(one, ['decrypt']), data),
    'wrong tag': async (one) => one.decrypt(iv, await key(one, ['decrypt']), data),
    'short text': async (one) => one.decrypt(iv, await key(one, ['decrypt']), data.subarray(30)),
    'wrong tag length': async (one) =>
      one.encrypt({ ...iv, tagLength: 99 }, await key(one, ['encrypt']), data),
    'no nonce': async (one) => one.encrypt({ name: 'AES-GCM' }, await key(one, ['encrypt']), data),
    'no key': (one) => one.encrypt(iv, {} as never, data),
    'wrapping by no wrapper': async (one) => {
      const inner = await one.generateKey(GCM, true, ['encrypt']);
      return one.wrapKey('raw', inner, await key(one, ['encrypt']), iv);
    },
  };
  const nameOf = (work: Promise<unknown>) =>
    work.then(
      () => 'none',
      (error: unknown) => (error as Error).name,
    );
  const results = Object.entries(all).map(async ([mistake, make]) => ({
    mistake,
    ours: await nameOf(make(sealwright.subtle)),
    theirs: await nameOf(make(crypto.subtle)),
  }));
  return Promise.all(results);
}

/** RFC 7253 appendix A; SP 800-38C example 1; RFC 8439 section 2.8.2; RFC 9106 section 5. */
export async function vectors(): Promise<{ name: string; got: string; want: string }[]> {
  const from = (hex: string) =>
    Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
  const to = (buffer: ArrayBuffer) =>
    [...new Uint8Array(buffer)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  const cases = [
    {
      name: 'AES-OCB',
      key: '000102030405060708090a0b0c0d0e0f',
      iv: 'bbaa99887766554433221101',
      ad: '0001020304050607',
      data: '0001020304050607',
      want: '6820b3657b6f615a5725bda0d3b4eb3a257c9af1f8f03009',
    },
    {
      name: 'AES-CCM',
      key: '404142434445464748494a4b4c4d4e4f',
      iv: '10111213141516',
      ad: '0001020304050607',
      data: '20212223',
      tagLength: 32,
      want: '7162015b4dac255d',
    },
    {
      name: 'ChaCha20-Poly1305',
      key: '808182838485868788898a8b8c8d8e8f909192939495969798999a9b9c9d9e9f',
      iv: '070000004041424344454647',
      ad: '50515253c0c1c2c3c4c5c6c7',
      data:
        '4c616469657320616e642047656e746c656d656e206f662074686520636c6173' +
        '73206f66202739393a204966204920636f756c64206f6666657220796f75206f' +
        '6e6c79206f6e652074697020666f7220746865206675747572652c2073756e73' +
        '637265656e20776f756c642062652069742e',
      want:
        'd31a8d34648e60db7b86afbc53ef7ec2a4aded51296e08fea9e2b5a736ee62d6' +
        '3dbea45e8ca9671282fafb69da92728b1a71de0a9e060b2905d6a5b67ecd3b36' +
        '92ddbd7f2d778b8c9803aee328091b58fab324e4fad675945585808b4831d7bc' +
        '3ff4def08e4b7a9de576d26586cec64b61161ae10b594f09e26a7e902ecbd0600691',
    },
  ];
  const results = cases.map(async ({ name, want, tagLength = 128, ...hex }) => {
    const { subtle } = sealwright;
    const key = await subtle.importKey('raw-secret' as 'raw', from(hex.key), name, false, [
      'encrypt',
    ]);
    const params = { name, iv: from(hex.iv), additionalData: from(hex.ad), tagLength };
    return { name, got: to(await subtle.encrypt(params, key, from(hex.data))), want };
  });
  const tags = {
    Argon2d: '512b391b6f1162975371d30919734294f868e3be3984f3c1a13a4db9fabe4acb',
    Argon2i: 'c814d9d1dc7f37aa13f0d77f2494bda1c8de6b016dd388d29952a4c4672b6ce8',
    Argon2id: '0d640df58d78766c08c037a34a8b53c9d01ef0452d75b65eb52520e96b01e659',
  };
  const cost = { memory: 32, passes: 3, parallelism: 4 };
  const derived = Object.entries(tags).map(async ([name, want]) => {
    const { subtle } = sealwright;
    const bytes = (length: number, value: number) => new Uint8Array(length).fill(value);
    const key = await subtle.importKey('raw-secret' as 'raw', bytes(32, 1), name, false, [
      'deriveBits',
    ]);
    const more = { secretValue: bytes(8, 3), associatedData: bytes(12, 4) };
    const params = { name, nonce: bytes(16, 2), ...cost, ...more };
    return { name, got: to(await subtle.deriveBits(params, key, 256)), want };
  });
  return Promise.all([...results, ...derived]);
}

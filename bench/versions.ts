import { existsSync, readFileSync } from 'node:fs';

const PEERS = [
  '@noble/ciphers',
  '@noble/hashes',
  '@noble/post-quantum',
  'aes-js',
  'asmcrypto.js',
  'bn.js',
  'browserify-aes',
  'crypto-browserify',
  'crypto-js',
  'firefox-sync',
  'gmp-wasm',
  'hash-wasm',
  'libsodium-wrappers-sumo',
  'node-forge',
  'openpgp',
  'sjcl',
];

/** Versions of the peers, as installed, and of OpenSSL as Node carries it. */
export function peerVersions(): Record<string, string> {
  const versions: Record<string, string> = { OpenSSL: process.versions.openssl };
  for (const name of PEERS) {
    const path = `node_modules/${name}/package.json`;
    if (!existsSync(path)) continue;
    versions[name] = (JSON.parse(readFileSync(path, 'utf8')) as { version: string }).version;
  }
  return versions;
}

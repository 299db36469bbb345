/*
 * Keys that are not as their standard writes them, from keys that are: of each node of a DER, every change of its frame;
 * of each member of a JWK, every text that is not canonical; and values that the standards exclude. It runs in pages too.
 */
import { p256, p384, p521 } from '@noble/curves/nist.js';
import { fromBase64url, fromHex, toBase64url } from '../../src/crypto/bytes.ts';
import type { Subtle } from '../../src/library/subtle.ts';
import type { SubtleKeyPair, Usage } from '../../src/subtle/key.ts';
import { largeDsaKey } from '../support/samples/dsa-key.ts';
import { hex } from '../support/vectors.ts';

type Algorithm = Parameters<Subtle['importKey']>[2];
type Format = Parameters<Subtle['importKey']>[0];
type KeyData = Parameters<Subtle['importKey']>[1];
type Change<T> = readonly [title: string, changed: T, error?: string | undefined];
type Changed<T> = readonly Change<T>[];

export interface KeyCase {
  readonly algorithm: Algorithm & object;
  readonly title: string;
  readonly format: Format;
  readonly keyData: KeyData;
  readonly usages: readonly Usage[];
  /** 'none', or the name of the error. */
  readonly error: string;
}

interface Pair {
  readonly algorithm: Algorithm & { readonly name: string };
  readonly ofPrivate: Usage;
  readonly ofPublic: readonly Usage[];
  readonly kind: 'RSA' | 'EC' | 'OKP' | 'AKP' | 'DH' | 'DSA';
  /** Those that the algorithm has. */
  readonly formats: readonly Format[];
}

const RSA = { hash: 'SHA-256', modulusLength: 1024, publicExponent: Uint8Array.of(1, 0, 1) };
const BYTES = ['raw', 'spki', 'pkcs8', 'jwk'] as const;

const [p, q, g] = (['p', 'q', 'g'] as const).map((name) => hex(largeDsaKey, name));
const DSA_GROUP = { p: p!, q: q!, g: g! };

/** One of each kind of key, and of each curve. */
export const PAIRS: readonly Pair[] = [
  rsa('RSA-OAEP', 'decrypt', 'encrypt'),
  rsa('RSASSA-PKCS1-v1_5', 'sign', 'verify'),
  rsa('RSA-PSS', 'sign', 'verify'),
  pair('EC', { name: 'ECDSA', namedCurve: 'P-256' }, 'sign', ['verify']),
  pair('EC', { name: 'ECDSA', namedCurve: 'P-384' }, 'sign', ['verify']),
  pair('EC', { name: 'ECDH', namedCurve: 'P-521' }, 'deriveBits', []),
  pair('EC', { name: 'ECDH', namedCurve: 'P-256' }, 'deriveBits', []),
  pair('OKP', { name: 'Ed25519' }, 'sign', ['verify']),
  pair('OKP', { name: 'X25519' }, 'deriveBits', []),
  pair('OKP', { name: 'Ed448' }, 'sign', ['verify']),
  pair('OKP', { name: 'X448' }, 'deriveBits', []),
  akp('ML-KEM-768', 'decapsulateBits', 'encapsulateBits', ['raw-public', 'raw-seed']),
  akp('ML-DSA-44', 'sign', 'verify', ['raw-public', 'raw-seed']),
  akp('SLH-DSA-SHA2-128f', 'sign', 'verify', ['raw-public', 'raw-private']),
  pair('DH', { name: 'DH', group: 'ffdhe2048' }, 'deriveBits', [], ['spki', 'pkcs8']),
  pair('DSA', { name: 'DSA', ...DSA_GROUP }, 'sign', ['verify'], ['spki', 'pkcs8']),
];

function rsa(name: string, ofPrivate: Usage, ofPublic: Usage): Pair {
  return pair('RSA', { name, ...RSA }, ofPrivate, [ofPublic], ['spki', 'pkcs8', 'jwk']);
}

function akp(name: string, ofPrivate: Usage, ofPublic: Usage, raw: readonly Format[]): Pair {
  return pair('AKP', { name }, ofPrivate, [ofPublic], [...raw, 'spki', 'pkcs8', 'jwk']);
}

function pair(
  kind: Pair['kind'],
  algorithm: Pair['algorithm'],
  ofPrivate: Usage,
  ofPublic: readonly Usage[],
  formats: readonly Format[] = BYTES,
): Pair {
  return { algorithm, ofPrivate, ofPublic, kind, formats };
}

/** @returns the right keys of a pair, and what was made of them */
export async function keyCases(subtle: Subtle, given: Pair): Promise<KeyCase[]> {
  const { algorithm, ofPrivate, ofPublic, kind, formats } = given;
  const make = () =>
    subtle.generateKey(algorithm as Algorithm, true, [
      ofPrivate,
      ...ofPublic,
    ]) as Promise<SubtleKeyPair>;
  const [{ privateKey, publicKey }, other] = [await make(), await make()];
  const cases: KeyCase[] = [];
  const add = (isPrivate: boolean, format: Format, all: Changed<KeyData>) => {
    for (const [title, keyData, error = 'DataError'] of all) {
      const usages = isPrivate ? [ofPrivate] : ofPublic;
      const half = isPrivate ? 'private' : 'public';
      const full = `${titleOf(algorithm)}, ${format}, ${half}: ${title}`;
      cases.push({ algorithm, title: full, format, keyData, usages, error });
    }
  };
  for (const format of formats) {
    if (format === 'jwk') {
      for (const key of [publicKey, privateKey]) {
        const isPrivate = key === privateKey;
        const theirs = await subtle.exportKey(
          'jwk',
          isPrivate ? other.privateKey : other.publicKey,
        );
        const jwk = await subtle.exportKey('jwk', key);
        add(isPrivate, format, [['as it was', jwk, 'none'], ...changedJwks(kind, jwk, theirs)]);
      }
      continue;
    }
    const isPrivate = format === 'pkcs8' || format === 'raw-seed' || format === 'raw-private';
    const key = isPrivate ? privateKey : publicKey;
    const bytes = new Uint8Array(await subtle.exportKey(format as 'raw', key));
    const changed = format.startsWith('raw') ? changedRaws(kind, bytes) : changedDers(kind, bytes);
    add(isPrivate, format, [['as it was', bytes, 'none'], ...changed]);
  }
  return cases;
}

export function titleOf({ name, namedCurve }: KeyCase['algorithm']): string {
  return namedCurve === undefined ? name : `${name} ${namedCurve}`;
}

function changedRaws(kind: Pair['kind'], bytes: Uint8Array): Changed<Uint8Array<ArrayBuffer>> {
  const changed = [
    ['no bytes', new Uint8Array(0)],
    ['a byte less', bytes.slice(0, -1)],
    ['a byte more', Uint8Array.of(...bytes, 0)],
  ] as const;
  return kind === 'EC' ? [...changed, ...changedPoints(bytes)] : changed;
}

/** Of a point that is not compressed (SEC 1, section 2.3.3). */
function changedPoints(point: Uint8Array): Changed<Uint8Array<ArrayBuffer>> {
  const size = (point.length - 1) / 2;
  const isOdd = point.at(-1)! & 1;
  const with0 = (first: number) => Uint8Array.of(first, ...point.subarray(1));
  const moved = point.slice();
  moved[size]! ^= 1;
  return [
    ['the point at infinity', Uint8Array.of(0)],
    ['a compressed point', Uint8Array.of(2 + isOdd, ...point.subarray(1, 1 + size)), 'none'],
    ['a compressed point beyond the field', new Uint8Array(1 + size).fill(0xff).fill(2, 0, 1)],
    ['a compressed point of a byte less', Uint8Array.of(2 + isOdd, ...point.subarray(1, size))],
    ['a hybrid point', with0(6 + isOdd)],
    ['a compressed point with both coordinates', with0(2 + isOdd)],
    ['coordinates alone', point.slice(1)],
    ['zeros', Uint8Array.of(4, ...new Uint8Array(2 * size))],
    ['coordinates beyond the field', new Uint8Array(point.length).fill(0xff).fill(4, 0, 1)],
    ['a point beside the curve', moved],
  ];
}

/** One node of a DER, with its place in the whole. */
interface Node {
  readonly tag: number;
  readonly content: Uint8Array;
  readonly children: readonly Node[];
  readonly path: string;
}

const NULL = Uint8Array.of(5, 0);
const SEQUENCES = [0x30, 0xa0, 0xa1];

function changedDers(kind: Pair['kind'], bytes: Uint8Array): Changed<Uint8Array<ArrayBuffer>> {
  const root = parse(bytes, 0, '').node;
  const all: Change<Uint8Array<ArrayBuffer>>[] = [
    ['no bytes', new Uint8Array(0)],
    ['a byte less', bytes.slice(0, -1)],
    ['a byte more', Uint8Array.of(...bytes, 0)],
    ['a NULL more', Uint8Array.of(...bytes, ...NULL)],
  ];
  const inner = (node: Node) => content(node, undefined, new Uint8Array(0));
  for (const node of nodesOf(root)) {
    const change = (title: string, changed: Uint8Array) => {
      const error = errorOfChange(kind, node, title);
      all.push([`${title} at /${node.path}`, write(root, node, changed), error]);
    };
    const { tag } = node;
    const own = inner(node);
    change(
      'a length of more bytes than needed',
      Uint8Array.of(tag, ...longLength(own.length), ...own),
    );
    change('another tag', tlv(tag ^ 0x08, own));
    change('nothing', new Uint8Array(0));
    change('the node twice', Uint8Array.of(...tlv(tag, own), ...tlv(tag, own)));
    if (SEQUENCES.includes(tag)) {
      change('an indefinite length', Uint8Array.of(tag, 0x80, ...own, 0, 0));
      change('a NULL at the end', tlv(tag, Uint8Array.of(...own, ...NULL)));
    }
    if (tag === 2) {
      change('a spare zero', tlv(tag, Uint8Array.of(0, ...own)));
      change('a negative integer', tlv(tag, Uint8Array.of(0x80 | own[0]!, ...own.subarray(1))));
      change('no digits', tlv(tag, new Uint8Array(0)));
    }
    if (tag === 3) change('unused bits', tlv(tag, Uint8Array.of(1, ...own.subarray(1))));
    if (tag === 6) change('another name', tlv(tag, fromHex('2b0601040182371401')));
    if (tag === 4 && node.children.length === 0) change('a byte less', tlv(tag, own.slice(0, -1)));
    if (tag === 4) change('a byte more', tlv(tag, Uint8Array.of(...own, 0)));
  }
  if (kind === 'EC') all.push(...ofCurves(root));
  if (kind === 'RSA') all.push(...ofRsa(root));
  return all;
}

/** 'none' where the key stays right. */
function errorOfChange(kind: Pair['kind'], { path, tag }: Node, title: string): string {
  // RFC 5915: the public key in a private one is optional.
  if (kind === 'EC' && tag === 0xa1 && title === 'nothing') return 'none';
  // PKCS #3: an integer after p and g is the length of private keys.
  const isTwice = tag === 2 && title === 'the node twice';
  if (kind === 'DH' && isTwice && /^.11$/.test(path)) return 'none';
  return 'DataError';
}

/** RFC 5480, section 2.1.1: specifiedCurve must not be used. */
function ofCurves(root: Node): Changed<Uint8Array<ArrayBuffer>> {
  const nodes = [...nodesOf(root)];
  const curve = nodes.filter(({ tag }) => tag === 6)[1]!;
  const explicit = tlv(
    0x30,
    Uint8Array.of(...tlv(2, Uint8Array.of(1)), ...tlv(0x30, new Uint8Array(0))),
  );
  const changed: Change<Uint8Array<ArrayBuffer>>[] = [
    ['explicit parameters', write(root, curve, explicit)],
    ['implicit parameters', write(root, curve, NULL)],
    ['secp256k1', write(root, curve, tlv(6, fromHex('2b8104000a')))],
    ['the name of X25519', write(root, curve, tlv(6, fromHex('2b656e')))],
  ];
  const point = nodes.find(({ tag }) => tag === 3);
  if (point !== undefined) {
    for (const [title, bytes, error] of changedPoints(point.content.slice(1))) {
      changed.push([title, write(root, point, tlv(3, Uint8Array.of(0, ...bytes))), error]);
    }
  }
  const secret = nodes.find(
    ({ tag, children, path }) => tag === 4 && children.length === 0 && path.length > 1,
  );
  if (secret !== undefined) {
    const size = secret.content.length;
    const order = ORDERS[size]!;
    const keyOf = (bytes: Uint8Array) => write(root, secret, tlv(4, bytes));
    changed.push(
      ['a private key of zero', keyOf(new Uint8Array(size))],
      ['the order as a private key', keyOf(bigEndian(order, size))],
      ['a private key beyond the order', keyOf(new Uint8Array(size).fill(0xff))],
      ['the public key of another', keyOf(new Uint8Array(size).fill(1, 1))],
      ['the greatest private key', greatest(nodes, secret, bigEndian(order - 1n, size)), 'none'],
    );
  }
  return changed;
}

/** Of the base point, by the length of a coordinate. */
const ORDERS: Readonly<Record<number, bigint>> = {
  32: p256.Point.Fn.ORDER,
  48: p384.Point.Fn.ORDER,
  66: p521.Point.Fn.ORDER,
};

function bigEndian(value: bigint, lengthBytes: number): Uint8Array<ArrayBuffer> {
  return fromHex(value.toString(16).padStart(2 * lengthBytes, '0'));
}

/** A private key without its public key, which is optional. */
function greatest(
  nodes: readonly Node[],
  secret: Node,
  bytes: Uint8Array,
): Uint8Array<ArrayBuffer> {
  const [root, key] = [nodes[0]!, nodes.find(({ children }) => children.includes(secret))!];
  const version = tlv(2, Uint8Array.of(1));
  return write(root, key, tlv(0x30, Uint8Array.of(...version, ...tlv(4, bytes))));
}

/** RFC 8017, section 3.1. */
function ofRsa(root: Node): Changed<Uint8Array<ArrayBuffer>> {
  const integers = [...nodesOf(root)].filter(({ tag }) => tag === 2);
  const isPrivate = integers.length > 2;
  const [n, e] = (isPrivate ? integers.slice(2) : integers) as [Node, Node];
  const even = n.content.slice();
  even[even.length - 1]! &= 0xfe;
  const changed: Change<Uint8Array<ArrayBuffer>>[] = [
    ['an even modulus', write(root, n, tlv(2, even))],
    ['an even exponent', write(root, e, tlv(2, Uint8Array.of(1, 0, 2)))],
    ['an exponent of one', write(root, e, tlv(2, Uint8Array.of(1)))],
    ['an exponent of zero', write(root, e, tlv(2, Uint8Array.of(0)))],
    ['the modulus as the exponent', write(root, e, tlv(2, n.content))],
    ['a modulus of zero', write(root, n, tlv(2, Uint8Array.of(0)))],
  ];
  if (isPrivate) {
    const version = integers[1]!;
    changed.push([
      'more than two primes',
      write(root, version, tlv(2, Uint8Array.of(1))),
      'NotSupportedError',
    ]);
  }
  return changed;
}

function parse(bytes: Uint8Array, at: number, path: string): { node: Node; end: number } {
  const tag = bytes[at]!;
  let from = at + 2;
  let length = bytes[at + 1]!;
  if (length > 0x80) {
    const count = length - 0x80;
    length = 0;
    for (let i = 0; i < count; i++) length = 256 * length + bytes[from++]!;
  }
  const end = from + length;
  if (Number.isNaN(end) || end > bytes.length) throw new RangeError('no DER');
  const content = bytes.subarray(from, end);
  return { node: { tag, content, path, children: childrenOf(tag, content, path) }, end };
}

/** Of a sequence, and of a string that holds a sequence or, as that of RFC 8410, another string. */
function childrenOf(tag: number, content: Uint8Array, path: string): Node[] {
  const isString = tag === 3 || tag === 4;
  const begin = tag === 3 ? 1 : 0;
  if (!SEQUENCES.includes(tag) && !isString) return [];
  if (isString && content[begin] !== 0x30 && !(tag === 4 && content[0] === 4)) return [];
  const children: Node[] = [];
  try {
    for (let at = begin; at < content.length;) {
      const { node, end } = parse(content, at, `${path}${children.length}`);
      children.push(node);
      at = end;
    }
  } catch (error) {
    if (error instanceof RangeError) return [];
    throw error;
  }
  return isString && children.length > 1 ? [] : children;
}

function* nodesOf(node: Node): Generator<Node> {
  yield node;
  for (const child of node.children) yield* nodesOf(child);
}

/** The whole, with one node replaced, and every length around it right. */
function write(node: Node, replaced: Node | undefined, by: Uint8Array): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(node === replaced ? by : tlv(node.tag, content(node, replaced, by)));
}

function content(node: Node, replaced: Node | undefined, by: Uint8Array): Uint8Array {
  if (node.children.length === 0) return node.content;
  const before = node.tag === 3 ? [0] : [];
  return Uint8Array.from([
    ...before,
    ...node.children.flatMap((child) => [...write(child, replaced, by)]),
  ]);
}

function tlv(tag: number, content: Uint8Array): Uint8Array {
  const { length } = content;
  const short =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Uint8Array.of(tag, ...short, ...content);
}

function longLength(length: number): number[] {
  return [0x83, 0, length >> 8, length & 0xff];
}

/**
 * OpenSSL does not compare the numbers of an RSA private key, and computes with those that are right, so that results are
 * those of the right key. To compare them takes arithmetic with the primes, which JavaScript has in no constant time.
 */
const UNSEEN_BY_NODE = 'window' in globalThis ? 'DataError' : 'none';

/** Members that are base64url. */
const TEXTS = ['n', 'e', 'd', 'p', 'q', 'dp', 'dq', 'qi', 'x', 'y', 'k', 'pub', 'priv'];

function changedJwks(kind: Pair['kind'], jwk: JsonWebKey, other: JsonWebKey): Changed<JsonWebKey> {
  const members = jwk as Readonly<Record<string, string>>;
  const isPrivate = jwk.d !== undefined || 'priv' in jwk;
  const all: Change<JsonWebKey>[] = [];
  const set = (title: string, changes: object, error?: string) => {
    all.push([title, { ...jwk, ...changes }, error]);
  };
  for (const name of TEXTS.filter((text) => text in jwk)) {
    const text = members[name]!;
    const bytes = fromBase64url(text);
    const { [name]: _, ...without } = members;
    // Without d a private key is a public one, which the usages do not fit.
    const isPublic = name === 'd' || name === 'priv';
    all.push([`no ${name}`, without, isPublic ? 'SyntaxError' : undefined]);
    set(`empty ${name}`, { [name]: '' });
    set(`${name} with padding`, { [name]: `${text}=` });
    set(`${name} with a space`, { [name]: ` ${text}` });
    set(`${name} in the other alphabet`, { [name]: `+/${text.slice(2)}` });
    set(`${name} that is a number`, { [name]: 5 });
    set(`${name} with a zero before it`, { [name]: toBase64url(Uint8Array.of(0, ...bytes)) });
    if (text.length % 4 > 0) set(`${name} with spare bits`, { [name]: withSpareBits(text) });
    if (kind !== 'RSA') {
      set(`${name} a byte short`, { [name]: toBase64url(bytes.slice(1)) });
      set(`${name} a byte long`, { [name]: toBase64url(Uint8Array.of(...bytes, 0)) });
    }
  }
  for (const name of ['kty', 'crv'].filter((each) => each in jwk)) {
    const { [name]: _, ...without } = members;
    all.push([`no ${name}`, without]);
    set(`another ${name}`, { [name]: name === 'kty' ? 'oct' : 'P-192' });
  }
  if (members['alg'] !== undefined || kind === 'RSA') set('the alg of AES', { alg: 'A128GCM' });
  set(
    'another use',
    { use: jwk.key_ops?.some((op) => /sign|verify/.test(op)) === true ? 'enc' : 'sig' },
    jwk.key_ops?.length === 0 ? 'none' : undefined,
  );
  set('key_ops twice', { key_ops: ['sign', 'sign'] });
  set(
    'key_ops of another',
    { key_ops: ['wrapKey'] },
    jwk.key_ops?.length === 0 ? 'none' : undefined,
  );
  set('ext false', { ext: false });
  if (kind === 'RSA') {
    const oth = [{ r: 'Aw', d: 'AQ', t: 'AQ' }];
    if (isPrivate) set('more than two primes', { oth }, 'NotSupportedError');
    set('an even exponent', { e: 'AQAC' });
    set('an exponent of one', { e: 'AQ' });
    set('the modulus as the exponent', { e: jwk.n });
    set('an even modulus', { n: toBase64url(evenOf(jwk.n!)) });
  }
  if (kind === 'EC') {
    set('a point beside the curve', { x: other.x });
    set('coordinates beyond the field', { x: toBase64url(fromBase64url(jwk.x!).fill(0xff)) });
    if (isPrivate) {
      set('a private key of zero', { d: toBase64url(fromBase64url(jwk.d!).fill(0)) });
      set('a private key beyond the order', { d: toBase64url(fromBase64url(jwk.d!).fill(0xff)) });
    }
  }
  const isOfCurve = kind === 'EC' || kind === 'OKP';
  if (isPrivate && isOfCurve) set('the public key of another', { x: other.x, y: other.y });
  if (isPrivate && kind === 'RSA') {
    set('the modulus of another', { n: other.n });
    set('the primes of another', { p: other.p, q: other.q }, UNSEEN_BY_NODE);
    set('the private exponent of another', { d: other.d }, UNSEEN_BY_NODE);
  }
  const { pub } = other as { pub?: string };
  if (isPrivate && kind === 'AKP') set('the public key of another', { pub });
  return all;
}

function evenOf(text: string): Uint8Array {
  const bytes = fromBase64url(text);
  bytes[bytes.length - 1]! &= 0xfe;
  return bytes;
}

/** The last digit's unused bits are not zero (RFC 4648, section 3.5). */
function withSpareBits(text: string): string {
  const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  return `${text.slice(0, -1)}${digits[digits.indexOf(text.at(-1)!) + 1]}`;
}

import { expect } from 'chai';
import {
  addressProblem,
  judgeFrame,
  ownerOf,
  type PageCaller,
} from '../../../src/service/calls/frame-policy.ts';
import { pageCaller } from '../../support/service-fakes.ts';

type Row = [name: string, frame: Partial<PageCaller>, answer: 'served' | 'UNSUPPORTED'];

const at = (origin: string, topOrigin = origin): Partial<PageCaller> => ({ origin, topOrigin });

const ROWS: readonly Row[] = [
  ['a top page over https', at('https://a.example'), 'served'],
  ['a port is part of the origin', at('https://a.example:8443'), 'served'],
  ['localhost over http', at('http://localhost:8080'), 'served'],
  ['a name under localhost', at('http://demo.localhost'), 'served'],
  ['the loopback address', at('http://127.0.0.1:3000'), 'served'],
  ['another loopback address', at('http://127.8.9.10'), 'served'],
  ['the IPv6 loopback address', at('http://[::1]:3000'), 'served'],
  ['a frame of the same origin', at('https://a.example', 'https://a.example'), 'served'],
  ['a frame on a subdomain', at('https://x.a.example', 'https://a.example'), 'served'],
  ['a frame of the parent domain', at('https://a.example', 'https://x.a.example'), 'served'],
  ['a frame on another port', at('https://a.example:1', 'https://a.example'), 'served'],
  ['a sandboxed frame', at('null', 'https://a.example'), 'UNSUPPORTED'],
  ['a frame in a sandboxed page', at('https://a.example', 'null'), 'UNSUPPORTED'],
  ['a file', at('file://'), 'UNSUPPORTED'],
  ['nothing', at(''), 'UNSUPPORTED'],
  ['an extension', at('chrome-extension://abcdefghijklmnop'), 'UNSUPPORTED'],
  ['an address instead of an origin', at('https://a.example/path'), 'UNSUPPORTED'],
  ['an origin in capitals', at('https://A.example'), 'UNSUPPORTED'],
  ['plain http', at('http://a.example'), 'UNSUPPORTED'],
  ['a host that only begins like localhost', at('http://localhost.evil.example'), 'UNSUPPORTED'],
  ['a host that only begins like loopback', at('http://127.0.0.1.evil.example'), 'UNSUPPORTED'],
  ['https in plain http', at('https://a.example', 'http://a.example'), 'UNSUPPORTED'],
  ['a frame of another site', at('https://b.example', 'https://a.example'), 'UNSUPPORTED'],
  ['a sibling domain', at('https://x.a.example', 'https://y.a.example'), 'UNSUPPORTED'],
  ['a name that only ends alike', at('https://aa.example', 'https://a.example'), 'UNSUPPORTED'],
  ['a whole top-level domain', at('https://a.example', 'https://example'), 'UNSUPPORTED'],
  ['an address that ends alike', at('https://1.127.0.0.1', 'https://127.0.0.1'), 'UNSUPPORTED'],
  ['another scheme', at('https://localhost', 'http://localhost'), 'UNSUPPORTED'],
];

describe('Which frames are served', () => {
  for (const [name, frame, answer] of ROWS) {
    it(`${name}: ${answer}`, () => {
      const verdict = judgeFrame(pageCaller(frame));
      expect(verdict.served ? 'served' : 'UNSUPPORTED').to.equal(answer);
    });
  }
});

describe('The owner of a site', () => {
  it('is the same with a dot at the end of its name', () => {
    const owners = ['evil.com', 'evil.com.', 'www.evil.com.'].map((host) =>
      ownerOf(`https://${host}`),
    );
    expect(new Set(owners)).to.deep.equal(new Set(['evil.com']));
    expect(ownerOf('https://other.com.')).to.equal('other.com');
  });
});

describe('What keeps a site from being enabled', () => {
  const PROBLEMS = {
    'https://a.example/path?q': null,
    'http://localhost:8080/': null,
    'http://a.example/': 'insecure',
    'file:///tmp/a.html': 'file',
    'data:text/html,hi': 'opaque',
    'blob:https://a.example/1234': 'opaque',
    'chrome://settings/': 'browser-page',
    'about:blank': 'browser-page',
    'moz-extension://1234/popup.html': 'browser-page',
    '': 'browser-page',
  };
  for (const [address, problem] of Object.entries(PROBLEMS)) {
    it(`${address || 'no address'}: ${problem ?? 'nothing'}`, () => {
      expect(addressProblem(address)).to.equal(problem);
    });
  }
});

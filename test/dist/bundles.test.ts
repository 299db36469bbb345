import { readFileSync, readdirSync, statSync } from 'node:fs';
import { inflateRawSync } from 'node:zlib';
import { expect } from 'chai';
import { keeperFiles } from '../../scripts/audit.ts';
import { LIBRARY_MODULES, MODULES } from '../../scripts/make-wasm.ts';

/*
 * The modules in each bundle, read from webpack's output. Import rules can hold and a bundle can
 * still carry a module that it should not, because of one import of a shared file.
 */
const TARGETS = ['chromium', 'firefox'] as const;

/** The comments by which webpack and esbuild name a module. */
const MODULE =
  /^\s*;?\/\/ (?:\.\/([\w@./-]+)|((?:src|extension|node_modules)\/[\w@./-]+|package\.json)$)|^\/\*\*\*\/ "\.\/([\w@./-]+)"/gm;

/** Paths of the modules in a bundle, such as ./src/rpc/client/method-client.ts. */
function modulesOf(path: string): string[] {
  const names = [...readFileSync(path, 'utf8').matchAll(MODULE)].map(([, ...found]) => found.find(Boolean)!);
  return [...new Set(names)].filter((name) => /\.\w+$/.test(name)).map((name) => `./${name}`);
}

/** A script of the library, and those that it imports when it is loaded. */
function loadedBy(name: string, found = new Set<string>()): Set<string> {
  if (found.has(name)) return found;
  found.add(name);
  const text = readFileSync(`dist/lib/${name}`, 'utf8');
  for (const [, file] of text.matchAll(/^(?:import|export|\}).*?"\.\/([\w-]+\.js)";$/gm)) {
    loadedBy(file!, found);
  }
  return found;
}

/** Paths of the modules that an import of this entry loads. */
function loadedModules(entry: string): string[] {
  return [...loadedBy(`${entry}.js`)].flatMap((script) => modulesOf(`dist/lib/${script}`));
}

/** The texts of the scripts that an import of this entry loads. */
function loadedText(entry: string): string {
  return [...loadedBy(`${entry}.js`)].map((script) => readFileSync(`dist/lib/${script}`, 'utf8')).join('\n');
}

const either = (...patterns: RegExp[]): RegExp =>
  new RegExp(patterns.map(({ source }) => source).join('|'));

/** What finds a sealed text and reads its length from its header, for the scripts of fields. */
const READS_ARMOR =
  /^\.\/src\/(format\/(errors|wire\/(envelope|find-armor|header|recipients|sealed-length|suites|web-armor))|crypto\/bytes)\.ts/;

const BELONGS: Record<string, RegExp> = {
  page: /^\.\/(extension\/(entries\/page\.ts|page\/)|extension\/platform\/channels\/(message-port|reorder-buffer|rewritten|window-channel)|src\/rpc\/|src\/format\/wire\/(sealed-length|recipient-table))/,
  content:
    /^\.\/(extension\/(entries\/content\.ts|content\/)|extension\/platform\/((own-)?browser|fields\/shadow-root|sites\/page-shown|channels\/(is-alive|background-channel|port-channel|message-port|reorder-buffer|rewritten|window-channel|own-bytes))|src\/rpc\/|src\/format\/|src\/engine\/native\/|src\/crypto\/(bytes|errors)\.ts|node_modules\/webextension-polyfill\/)/,
  movements:
    /^\.\/(extension\/(entries\/movements|content\/(movements|alive|prerender)|platform\/((own-)?browser|channels\/rewritten|fields\/shadow-root|sites\/page-scripts|entropy\/(pointer-source|sample-batch)))\.ts|src\/(rpc\/(hello|primordials)|engine\/native\/(digests|platform)|crypto\/errors)\.ts|node_modules\/webextension-polyfill\/)/,
  // Neither `subtle` nor a parser of its keys, no record of a sync service, no algorithm that only they have, and no armor.
  background:
    /^\.\/(extension\/(entries\/background\.ts|platform\/)|src\/(?!subtle\/(?!key\.ts|errors\.ts)|workshop\/|sync\/(?!fingerprint)|format\/wire\/([\w-]*armor|inspect)|engine\/(js\/|registry|adapters|gpu\/|webgl\/|webgpu\/|known-answers\/(?!gcm)|self-test\/|wasm\/(arx|ciphers|lattice|montgomery)\/))|node_modules\/webextension-polyfill\/)/,
  // What every worker reads at its start: the table and its validators, no algorithm and no package.
  'workshop-worker':
    /^\.\/(extension\/(entries\/workers\/workshop-worker|platform\/workers\/engine-wasm)|src\/(workshop\/(operations|serve)|rpc\/(workshop(-rows|-methods)?|self-test-rows|envelope|errors|key-kinds|thresholds|transport\/byte-list|validate|nearest-name|limits|primordials|methods\/[\w-]+)|crypto\/(bytes|errors))\.ts)/,
  // Then one of these, at the first call of its operations.
  'workshop-argon2id.chunk':
    /^\.\/src\/(workshop\/argon2id|engine\/(contract|fastest-argon2id|wasm\/(generator\/hash\/argon2-layout|hash\/argon2))|crypto\/(bytes|errors|words|hash\/(blake2b|sha-constants)|kdf\/argon2(-block)?))\.ts/,
  'workshop-age.chunk':
    /^\.\/(src\/(workshop\/age|format\/recipients\/age-text|crypto\/(bytes|errors|words|hash\/(merkle-damgard|sha-constants|sha256)|kdf\/hkdf|mac\/hmac))\.ts|node_modules\/(age-encryption|@noble|@scure)\/)/,
  'workshop-json.chunk':
    /^\.\/src\/(workshop\/json\.ts|(crypto|engine\/native)\/|sync\/(base64|errors|json-object|legacy\/account)\.ts)/,
  'workshop-weave.chunk':
    /^\.\/(src\/(workshop\/(weave|seeded)\.ts|(crypto|engine|random|sync)\/)|node_modules\/@noble\/(post-quantum|curves|hashes)\/)/,
  'workshop-subtle.chunk':
    /^\.\/(src\/(workshop\/(subtle|subtle-arguments|signature|seeded|cards)\.ts|(crypto|engine|random|subtle)\/)|node_modules\/@noble\/(post-quantum|curves|hashes)\/)/,
  'workshop-sync.chunk':
    /^\.\/src\/(workshop\/(sync|sync\/heads|sync\/records|seeded)\.ts|(crypto|engine|format|random|rpc|sync)\/)/,
  'workshop-self-test.chunk':
    /^\.\/(src\/(workshop\/(self-test|cards)\.ts|(crypto|engine)\/)|node_modules\/@noble\/(post-quantum|curves|hashes)\/)/,
  // Reads pictures, which others may have made: nothing of the vault, and no way to the background.
  'code-worker':
    /^\.\/(extension\/(entries\/workers\/code-worker|manager\/forms\/(picture-head|read-picture))\.ts|src\/crypto\/(bytes|errors)\.ts|node_modules\/qr\/)/,
  fields: either(
    READS_ARMOR,
    /^\.\/(extension\/(entries\/fields\.ts|fields\/|platform\/fields\/shadow-root\.ts)|src\/rpc\/limits\.ts)/,
  ),
  guard:
    /^\.\/(extension\/(entries\/guard\.ts|fields\/|content\/(alive|prerender)|platform\/((own-)?browser|channels\/(is-alive|rewritten)|fields\/(mark-requests|shadow-root)|sites\/page-scripts))|src\/(rpc|format)\/|src\/crypto\/(bytes|errors)\.ts|node_modules\/webextension-polyfill\/)/,
  'guard-page': /^\.\/extension\/(entries\/guard-page|fields\/auto-seal\/submit-call)\.ts/,
  marks: either(
    READS_ARMOR,
    /^\.\/(extension\/(entries\/marks\.ts|fields\/(field-script|policy|text-control|auto-seal\/field-name|find\/[\w-]+|marks\/[\w-]+)\.ts|platform\/((own-)?browser|channels\/rewritten|fields\/(mark-requests|shadow-root)|sites\/page-scripts))|src\/rpc\/(limits|primordials)\.ts|node_modules\/webextension-polyfill\/)/,
  ),
  // ports/sites: the pattern of an origin, whose open pages it reloads.
  'fields-window': either(
    READS_ARMOR,
    /^\.\/(extension\/(entries\/fields-window\.tsx|fields-window\/|fields\/find\/(gaps|sealed-runs)|views\/|ui\/|platform\/)|src\/(rpc\/|service\/(calls\/registrable-domain|ports\/sites)|engine\/native\/(digests|platform)|format\/wire\/(armor|limits)|crypto\/errors)|node_modules\/(preact|lucide-preact|webextension-polyfill|@zxcvbn-ts)\/)/,
  ),
  prompt:
    /^\.\/(extension\/(entries\/prompt\.tsx|prompt\/|ui\/|platform\/)|src\/(rpc\/|service\/calls\/registrable-domain|engine\/native\/(digests|platform)|crypto\/errors)|node_modules\/(preact|lucide-preact|webextension-polyfill)\/)/,
};

/** AES on a graphics card, which `subtle` loads where a caller asks for it. */
const cardScript = (name: string): RegExp =>
  new RegExp(
    `^\\./src/(engine/(gpu|${name})/|engine/wasm/generator/aes/sbox\\.ts|engine/(contract|thresholds)\\.ts|engine/self-test/tasks\\.ts|crypto/(algorithms|bytes|errors|gf128|words|aead/(buffers|checked-aead|ocb))\\.ts)`,
  );

/** Likewise for the bundles of dist/lib. `engine/wasm/generator`: see GENERATOR. */
const LIBRARY: Record<string, RegExp> = {
  client: /^\.\/src\/client\/(?!react)/,
  // Over the client's errors and any provider; the libraries that they adapt are the app's own.
  adapters: /^\.\/src\/client\/(adapters\/|adapters\.ts$|errors\.ts$)/,
  react: /^\.\/src\/client\/react\.ts/,
  errors: /^\.\/src\/library\/errors\.ts/,
  subtle:
    /^\.\/(src\/(library\/subtle\.ts|subtle\/|engine\/(?!kem\/(?!native-x25519|x-wing\.)|self-test\/|threads\/|(web)?gpu\/|webgl\/)|crypto\/|random\/system-source\.ts))/,
  // Of src/crypto what the module's callers need; neither the registry nor another engine. With scripts that others have a
  // use for come `engine/adapters.ts` and what it adapts, of which bundlers take nothing.
  algorithms:
    /^\.\/src\/(library\/algorithms\.ts|algorithms\/|engine\/(adapters|contract|wasm\/(loader|library-loader|memory|module-scripts|(aes|arx|hash)\/(?!aes-engine|cbc|hash-engine|hashes|hkdf-sha512)[\w-]+|generator\/(aes|arx|hash)\/[\w-]*layout))\.ts|crypto\/(aead\/(buffers|checked-aead|gcm-siv-keys|siv|x?chacha20-poly1305)|hash\/(blake2b|blake3|keccak|merkle-damgard|sha-constants|sha256|sha3)|kdf\/(argon2(-block)?|hkdf|pbkdf2|scrypt)|mac\/(cbc-mac|cmac|hmac|poly1305)|mode\/(ctr|ecb|key-wrap)|stream\/[\w-]+|bytes|errors|gf128|words)\.ts)/,
  // Loaded by `subtle` at the first use of a post-quantum algorithm.
  'post-quantum':
    /^\.\/(src\/(engine\/(js\/post-quantum|kem\/((native-)?x25519|x-wing)|native\/platform)|crypto\/[\w/-]+)\.ts|node_modules\/@noble\/(post-quantum|curves|hashes)\/)/,
  bigint:
    /^\.\/src\/(library\/(bigint|power)\.ts|engine\/(fastest-power|wasm\/(module-scripts|library-loader|loader|(generator\/)?montgomery\/\w+))\.ts|crypto\/(bigint\/|(bytes|errors|words)\.ts))/,
  classical:
    /^\.\/src\/(library\/(cipher-modules|classical|power)\.ts|engine\/(block-ciphers|fastest-power|known-answers\/block-ciphers|wasm\/(module-scripts|library-loader|loader|memory|ciphers\/[\w-]+|generator\/ciphers\/layout|(generator\/)?montgomery\/\w+))\.ts|random\/system-source\.ts|crypto\/(bigint\/|classical\/|ciphers\/|hash\/|mac\/(cbc-mac|hmac)|mode\/(cbc|ctr|ecb)|aead\/(buffers|checked-aead|ocb)|gf128|(bytes|errors|words)\.ts))/,
  // AES, its three modes and one PBKDF2; neither the registry nor another engine's algorithms.
  legacy:
    /^\.\/src\/(library\/legacy\.ts|engine\/(fastest-pbkdf2|known-answers\/kdf|native\/(hashes|hmac|kdfs|platform))\.ts|crypto\/(legacy\/|aes\/|aead\/(buffers|ccm|checked-aead|gcm)\.ts|mac\/(cbc-mac|ghash|hmac)\.ts|mode\/ctr\.ts|hash\/(merkle-damgard|sha-constants|sha256)\.ts|kdf\/pbkdf2\.ts|(bytes|errors|gf128|words)\.ts))/,
  format:
    /^\.\/src\/(library\/format\.ts|format\/|engine\/(message-primitives|kem\/(dhkem|native)-x25519|native\/(platform|digests|hmac|keyed-ciphers|native-crypto))\.ts|crypto\/(hash\/(merkle-damgard|sha-constants|sha256)|kdf\/(hkdf|hpke)|mac\/hmac|bytes|errors|words)\.ts)/,
  random:
    /^\.\/src\/(library\/random\.ts|random\/(?!random|system-source|monitored-source|seed)|crypto\/(aes\/|hash\/(merkle-damgard|sha-constants|sha256)\.ts|(bytes|errors|words)\.ts))/,
  // The format's recipients and what they need of its chunks; of the packages X25519 alone; Argon2id, loaded for passphrases.
  sharing:
    /^\.\/(src\/(library\/sharing\.ts|format\/|engine\/(kem\/|native\/(platform|digests|ed25519|hmac|keyed-ciphers|native-crypto)\.ts|(contract|fastest-argon2id|wasm\/(library-loader|module-scripts|generator\/hash\/argon2-layout|hash\/argon2))\.ts)|crypto\/(hash\/(blake2b|cshake|keccak|merkle-damgard|sha-constants|sha256|sha3)|kdf\/(argon2(-block)?|hkdf|hpke)|lattice\/[\w-]+|mac\/hmac|bytes|ed25519|errors|post-quantum|words)\.ts)|node_modules\/@noble\/(curves|hashes)\/)/,
  // The codec of Weave over WebCrypto: no engine, and of the format its generator alone.
  sync: /^\.\/src\/(library\/sync\.ts|sync\/(?!legacy\/|notes\/|sealwright\/)|format\/native-crypto\.ts|engine\/native\/(platform|hmac|keyed-ciphers|native-crypto|native-records)\.ts|crypto\/(hash\/(merkle-damgard|sha-constants|sha256|legacy\/sha1)|kdf\/(hkdf|pbkdf2)|mac\/hmac|bytes|errors|words)\.ts)/,
  // The background and both scripts of a page, without the browser's API.
  testing:
    /^\.\/(src\/(?!cli|client|library|release)|extension\/(testing|content|page)\/|extension\/platform\/channels\/own-bytes\.ts|node_modules\/@noble\/(post-quantum|curves|hashes)\/)/,
  // The calling thread's half, and the workers'.
  threads:
    /^\.\/src\/(engine\/(adapters|contract|threads\/(?!worker)[\w-]+|wasm\/(loader|memory|(aes|arx|hash)\/(?!aes-engine|cbc|hash-engine|hashes|hkdf-sha512)[\w-]+|generator\/(aes|arx|hash)\/[\w-]*layout))\.ts|crypto\/[\w/-]+\.ts)/,
  'threads-worker':
    /^\.\/src\/(engine\/(adapters|contract|threads\/(worker|slices|start-worker)|wasm\/(loader|memory|(aes|arx|hash)\/(?!aes-engine|cbc|hash-engine|hashes|hkdf-sha512)[\w-]+|generator\/(aes|arx|hash)\/[\w-]*layout))\.ts|crypto\/[\w/-]+\.ts)/,
  webgpu: cardScript('webgpu'),
  webgl: cardScript('webgl'),
  cli: /^\.\/(package\.json$|src\/(cli\/|release\/|format\/|keys\/(annotations|backup|ring)\/|keys\/(unlock\/passphrase-kdf|values\/(errors|json))\.ts|engine\/(kem|native)\/|engine\/(contract|fastest-argon2id|message-primitives|wasm\/(library-loader|module-scripts|generator\/hash\/argon2-layout|hash\/argon2))\.ts|crypto\/(bytes|ed25519|errors|post-quantum|words|hash\/(blake2b|cshake|keccak|merkle-damgard|sha-constants|sha256|sha3|sha512)|kdf\/(argon2(-block)?|hkdf|hpke)|lattice\/[\w-]+|mac\/hmac)\.ts)|node_modules\/@noble\/(curves|hashes)\/)/,
};

/** The parts of the generators that run time code shares: layouts of memory, and the circuit of the S-box. */
const GENERATOR = /engine\/wasm\/generator\/(?!\w+\/([\w-]*layout|biases|sbox)\.ts)/;

for (const folder of [...TARGETS, 'lib'] as const) {
  describe(`the WebAssembly of ${folder}`, () => {
    it('holds no WebAssembly but what the proof of constant time reads', () => {
      const known = Object.keys(MODULES);
      const shipped = readdirSync(`dist/${folder}/wasm`).map((file) => file.replace(/\.\w+$/, ''));
      expect(known).to.include.members(shipped);
    });

    it('is what the build made', () => {
      const all = readdirSync('dist/wasm');
      expect(all).to.include.members(LIBRARY_MODULES.map((name) => `${name}.wasm`));
      const isOfLibrary = (file: string) => LIBRARY_MODULES.includes(file.replace(/\.\w+$/, ''));
      const made = all.filter((file) => folder === 'lib' || !isOfLibrary(file));
      const there = readdirSync(`dist/${folder}/wasm`);
      const shippedAs = (file: string) => (folder === 'lib' ? file.replace('.wasm', '.js') : file);
      expect(there).to.include.members(made.map(shippedAs));
      expect(there.some(isOfLibrary)).to.equal(folder === 'lib');
      for (const file of made) {
        const shipped = readFileSync(`dist/${folder}/wasm/${shippedAs(file)}`);
        const [, packed] = /"([\w+/=]+)"/.exec(folder === 'lib' ? shipped.toString() : '""') ?? [];
        const bytes = packed === undefined ? shipped : inflateRawSync(Buffer.from(packed, 'base64'));
        expect(bytes.equals(readFileSync(`dist/wasm/${file}`)), file).to.equal(true);
      }
    });

    it('has no generators of WebAssembly in it', () => {
      const scripts = readdirSync(`dist/${folder}`).filter((file) => file.endsWith('.js'));
      const found = scripts.flatMap((file) => modulesOf(`dist/${folder}/${file}`));
      expect(found.filter((module) => GENERATOR.test(module))).to.deep.equal([]);
    });
  });
}

describe('the scripts of the library', () => {
  const scripts = readdirSync('dist/lib').filter((file) => file.endsWith('.js'));
  const entries = Object.keys(LIBRARY);

  it('each have a list of modules, or are shared by those that have', () => {
    const shared = scripts.filter((file) => file.startsWith('shared-'));
    expect(scripts).to.have.members([...entries.map((name) => `${name}.js`), ...shared]);
  });

  it('name no file that a bundler would have to add', () => {
    // Frameworks leave such files out, or prefetch them all.
    for (const name of entries) expect(loadedText(name), name).to.not.match(/\.wasm["'`], import\.meta/);
  });

  it('hold the six old block ciphers in classical.js alone', () => {
    const holders = entries.filter((name) =>
      loadedModules(name).some((module) => /(crypto|wasm)\/ciphers\//.test(module)),
    );
    expect(holders).to.deep.equal(['classical']);
    // A bundler that finds the import would ship the module.
    const importers = entries.filter((name) =>
      LIBRARY_MODULES.some((module) => loadedText(name).includes(`import("./wasm/${module}.js")`)),
    );
    expect(importers.sort()).to.deep.equal(['algorithms', 'classical', 'subtle']);
  });

  it('hold threads in scripts of their own: subtle.js imports one, which starts the other', () => {
    const holders = entries.filter((name) =>
      loadedModules(name).some((module) => /engine\/threads\//.test(module)),
    );
    expect(holders).to.deep.equal(['threads', 'threads-worker']);
    expect(loadedText('subtle')).to.include('import("./threads.js")');
    expect(loadedText('threads')).to.include('new Worker(new URL("./threads-worker.js",import.meta.url)');
  });

  it('hold the engines on a card in scripts of their own, which subtle.js imports by names that bundlers see', () => {
    const holders = entries.filter((name) =>
      loadedModules(name).some((module) => /engine\/(gpu|webgpu|webgl)\//.test(module)),
    );
    expect(holders).to.deep.equal(['webgpu', 'webgl']);
    for (const name of holders) expect(loadedText('subtle')).to.include(`import("./${name}.js")`);
  });

  for (const [name, belongs] of Object.entries(LIBRARY)) {
    it(`${name}.js loads its own modules and no others`, () => {
      const modules = loadedModules(name);
      expect(modules, 'modules that the test can see').to.not.be.empty;
      expect(modules.filter((module) => !belongs.test(module))).to.deep.equal([]);
    });
  }
});

/**
 * kB of background.js, as it is shipped: not minified, so that reviewers of the stores can read it. Chromium reads and compiles all
 * of it whenever the worker wakes, and an auditor reads it to believe its guarantees. More than a quarter is comments, without which
 * the worker would wake 2 ms sooner. It may fall; a rise needs a reason: the last ones are the exchange of devices by files (25 kB),
 * a recovery code that opens them and epochs that settle without a question (10),
 * the share of the thread that pages' bytes have (13), the roles of a group's members (5), Firefox's permission for its sync, and
 * the turns in which origins send long messages (3).
 */
const MAX_KEEPER_KB = 1_700;
/** All that the keeper has of npm: the promises of the browser's API. Every algorithm in it is ours or the platform's. */
const KEEPER_OF_NPM = ['./node_modules/webextension-polyfill/dist/browser-polyfill.js'];

/** Not in a comment; and a method may be called `eval` (that of a polynomial in @noble/curves). */
const MAKES_CODE =
  /^(?!\s*(?:\/\/|\*)).*(?:\beval\((?!.*\)\s*\{$)|new Function\(|document\.write\()/m;

for (const target of TARGETS) {
  describe(`the bundles for ${target}`, () => {
    it('hold as the keeper only files that docs/audit.md lists', () => {
      const listed = keeperFiles().map(({ path }) => `./${path}`);
      const own = modulesOf(`dist/${target}/background.js`).filter(
        (module) => !module.startsWith('./node_modules/'),
      );
      expect(own.length).to.be.above(100);
      expect(own.filter((module) => !listed.includes(module))).to.deep.equal([]);
    });

    it(`hold a keeper of at most ${MAX_KEEPER_KB.toLocaleString('en')} kB, and of npm in it the polyfill alone`, () => {
      const path = `dist/${target}/background.js`;
      const ofNpm = modulesOf(path).filter((module) => module.startsWith('./node_modules/'));
      expect(ofNpm).to.deep.equal(KEEPER_OF_NPM);
      expect(statSync(path).size / 1_000).to.be.at.most(MAX_KEEPER_KB);
    });

    for (const [name, belongs] of Object.entries(BELONGS)) {
      it(`${name}.js holds its own modules and no others`, () => {
        const modules = modulesOf(`dist/${target}/${name}.js`);
        expect(modules, 'modules that the test can see').to.not.be.empty;
        expect(modules.filter((module) => !belongs.test(module))).to.deep.equal([]);
      });
    }

    for (const [what, pattern, wanted] of [
      ['the block ciphers of the library', /(crypto|wasm)\/ciphers\//, []],
      ['the decoder of QR codes', /node_modules\/qr\//, ['code-worker.js']],
      [
        'the engines on a graphics card',
        /engine\/(gpu|webgpu|webgl)\//,
        ['workshop-self-test.chunk.js', 'workshop-subtle.chunk.js'],
      ],
    ] as const) {
      it(`hold ${what} only where that is used`, () => {
        const scripts = readdirSync(`dist/${target}`).filter((file) => file.endsWith('.js'));
        const holders = scripts.filter((file) =>
          modulesOf(`dist/${target}/${file}`).some((module) => pattern.test(module)),
        );
        expect(holders.sort()).to.deep.equal(wanted);
      });
    }

    it('hold nothing of the marks that `npm run bench -- lane --trace` builds in', () => {
      const scripts = readdirSync(`dist/${target}`).filter((file) => file.endsWith('.js'));
      for (const file of scripts) {
        expect(readFileSync(`dist/${target}/${file}`, 'utf8'), file).not.to.include('laneTrace');
      }
    });

    it('hold nothing of the Lab', () => {
      const scripts = readdirSync(`dist/${target}`).filter((file) => file.endsWith('.js'));
      const holders = scripts.filter((file) =>
        modulesOf(`dist/${target}/${file}`).some((module) => /^\.\/lab\//.test(module)),
      );
      expect(holders).to.deep.equal([]);
    });

    for (const name of ['page', 'content', 'movements', 'guard', 'guard-page']) {
      it(`${name}.js holds nothing of keys, key derivation or block ciphers`, () => {
        const text = readFileSync(`dist/${target}/${name}.js`, 'utf8');
        // The page names them in its table of parameters: as a member of it, and nowhere else.
        const others = text.replace(/^ +"(Argon2(d|i|id)": shared\d+,|PBKDF2": \{)$/gm, '');
        expect(others).to.not.match(/argon2|pbkdf2|passphrase|S-box|app root/i);
      });
    }

    it('hold no code that is made from text at run time', () => {
      const scripts = readdirSync(`dist/${target}`).filter((file) => file.endsWith('.js'));
      const found = scripts.filter((file) =>
        MAKES_CODE.test(
          readFileSync(`dist/${target}/${file}`, 'utf8'),
        ),
      );
      expect(found).to.deep.equal([]);
    });
  });
}

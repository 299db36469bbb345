// drives the demo against an in-page fake provider (AES-GCM), under CSP default-src 'self'
import { createServer } from 'node:http';
import { readFileSync, writeFileSync } from 'node:fs';
import puppeteer from 'puppeteer-core';
const s = createServer((q, r) => {
  let p = new URL(q.url!, 'http://x').pathname;
  if (p === '/') p = '/index.html';
  r.setHeader(
    'content-type',
    ({ html: 'text/html', js: 'text/javascript', css: 'text/css' } as any)[p.split('.').pop()!],
  );
  r.setHeader('content-security-policy', "default-src 'self'");
  try {
    r.end(readFileSync('/work/main/examples/demo' + p));
  } catch {
    r.statusCode = 404;
    r.end();
  }
}).listen(0);
const b = await puppeteer.launch({
  executablePath: '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu'],
});
const axe = readFileSync('node_modules/axe-core/axe.min.js', 'utf8');
const FAKE = `(() => { let granted=[]; const K=crypto.subtle.generateKey({name:'AES-GCM',length:256},true,['encrypt','decrypt']);
 class P extends EventTarget { info={name:'Sealwright',version:'0.1.0',rdns:'org.sealwright'};
 async status(){return {locked:false,grants:granted,engines:['native']}}
 async connect(r){ granted=[{id:'g',keyId:'k',capabilities:r.capabilities,expiresAt:null,usesLeft:null}]; return granted}
 async revoke(){granted=[]}
 async seal(p,o){o.onProgress?.({bytes:p.length,total:p.length});const iv=new Uint8Array(12);return new Uint8Array(await crypto.subtle.encrypt({name:'AES-GCM',iv},await K,p))}
 async open(p,o){try{return new Uint8Array(await crypto.subtle.decrypt({name:'AES-GCM',iv:new Uint8Array(12)},await K,p))}catch{throw Object.assign(new Error('x'),{code:'AUTH_FAILED'})}}
 async sealText(t){return 'sw1.'+btoa(t)} async openText(t){return atob(t.slice(4))}
 async inspect(){return {version:1,suite:'01',purpose:'page',headerKeyId:'abcdef',recipients:0,plaintextBytes:5}}
 sealedLength(n){return n+16}}
 const p=new P(); const an=()=>dispatchEvent(new CustomEvent('sealwright:announce',{detail:{info:p.info,provider:p}}));
 addEventListener('sealwright:request',an); })()`;
for (const [name, fake, scheme] of [
  ['absent', false, 'light'],
  ['full', true, 'light'],
  ['full', true, 'dark'],
] as const) {
  const p = await b.newPage();
  p.on('console', (m) => console.log('console', m.type(), m.text()));
  p.on('pageerror', (e) => console.log('pageerror', String(e)));
  await p.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
  if (fake) await p.evaluateOnNewDocument(FAKE);
  await p.goto(`http://127.0.0.1:${(s.address() as any).port}/`);
  await p.setViewport({ width: 800, height: 900 });
  await new Promise((r) => setTimeout(r, 800));
  if (fake) {
    await p.click('#connect');
    await p.waitForSelector('#state[data-state=connected]');
    writeFileSync('/tmp/a.txt', 'hello file');
    await (await p.$('#file'))!.uploadFile('/tmp/a.txt' as any);
    await p.click('#seal');
    await p.waitForSelector('#sealed-download:not([hidden])');
    writeFileSync('/tmp/b.sealed', 'garbage garbage garbage garbage');
    await (await p.$('#sealed-file'))!.uploadFile('/tmp/b.sealed' as any);
    await new Promise((r) => setTimeout(r, 200));
    await p.click('#open');
    await p.waitForSelector('#log [data-code=AUTH_FAILED]');
    await new Promise((r) => setTimeout(r, 200));
    await p.click('#seal-text');
    await p.waitForFunction(() =>
      (document.querySelector('#sealed-text') as any).value.startsWith('sw1.'),
    );
    await new Promise((r) => setTimeout(r, 200));
    await p.click('#open-text');
    await p.waitForSelector('#opened-text:not(:empty)');
    await p.click('details summary');
  }
  await p.evaluate(axe);
  console.log(
    name,
    scheme,
    JSON.stringify(
      await p.evaluate(async () =>
        (await (globalThis as any).axe.run()).violations.map((v: any) => [
          v.id,
          v.nodes.map((n: any) => n.html + n.failureSummary),
        ]),
      ),
    ),
  );
  await p.screenshot({ path: `artifacts/screens/demo-${name}-${scheme}.png`, fullPage: true });
  await p.close();
}
await b.close();
s.close();

/* Every vector of the engine `webgpu`'s algorithms, on whatever adapter the browser has: half a minute. */
import { webGpuEngine } from '../../../src/engine/webgpu/webgpu.ts';
import { describeAead } from '../../conformance/aead.ts';
import { describeCiphers } from '../../conformance/cipher.ts';
import { engineSubject } from '../../conformance/subject.ts';
import { jsAlgorithms } from '../../engine/fake-engine.ts';
import './webgpu.ts';

const beside = jsAlgorithms()['AES-GCM']!;
const subject = await engineSubject(webGpuEngine({ gpu: navigator.gpu, beside: () => beside }));
describeCiphers(subject);
describeAead(subject);

/** Renders reports one after the other and prints the resident memory after some of them and after all, in MiB. */
import { createRenderer, FACTS } from './report-rendering.mts';

const { EARLY = '', LATE = '' } = process.env;
const MEBIBYTE = 1_048_576;

const renderer = createRenderer();

async function residentAfter(count: number): Promise<number> {
  for (let made = 0; made < count; made++) await renderer.render(FACTS);
  return process.memoryUsage.rss() / MEBIBYTE;
}

const early = await residentAfter(Number(EARLY));
const late = await residentAfter(Number(LATE) - Number(EARLY));
console.log(JSON.stringify({ early, late }));

import { join } from 'node:path';
import { DocsPlatform } from './docs-platform';
import { difference } from './likeness';
import { type Block, type Page } from './markdown';
import { readPages } from './pages';
import { hasProgram, type Ran, runPage } from './shell';

/** Programs that every page needs; a machine without them runs no page. */
const missing = ['bash', 'curl'].filter((name) => !hasProgram(name));
const pages = readPages().filter((page) => runnable(page).length > 0);

const onThisMachine = missing.length === 0 ? describe : describe.skip;

onThisMachine('the commands of the documentation, each as its page has it', () => {
  let platform: DocsPlatform;

  beforeAll(async () => {
    platform = await DocsPlatform.start();
  });
  afterAll(() => platform.close());

  it.each(pages.map((page) => [page.path, page] as const))('%s', async (path, page) => {
    const scratch = join(platform.folder, '.local/pages', path.replaceAll('/', '-'));
    const ran = await runPage([READY, ...runnable(page)], { cwd: platform.folder, env: platform.env, scratch });
    expect(ran.flatMap(({ block, failure }) => (failure === null ? [] : [`${block.at}: ${failure}`]))).toEqual([]);
    expect(outputFaults(page, ran)).toEqual([]);
  });
});

/** The commands that docs/README.md asks of every reader first. */
const READY: Block = { at: 'docs/README.md', language: 'sh', text: '. .local/run.env', marks: new Map() };

/** Leaves out blocks that are marked as not run, and blocks whose program this machine lacks. */
function runnable({ blocks }: Page): Block[] {
  return blocks.filter(({ language, marks }) => {
    const needs = marks.get('needs');
    return language === 'sh' && !marks.has('not run') && (needs === undefined || hasProgram(needs));
  });
}

/** A block that is marked `output` shows the output of the commands before it. */
function outputFaults({ blocks }: Page, ran: readonly Ran[]): string[] {
  return blocks.flatMap((shown, index) => {
    if (!shown.marks.has('output')) return [];
    const before = blocks.slice(0, index).findLast(({ language }) => language === 'sh');
    const result = ran.find(({ block }) => block === before);
    if (!before || (!result && !before.marks.has('needs'))) return [`${shown.at}: nothing was run before it`];
    const different = result ? difference(shown.text, shown.language, result.output) : null;
    return different === null ? [] : [`${shown.at}: ${different}`];
  });
}

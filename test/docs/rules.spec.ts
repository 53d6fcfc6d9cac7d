import { faultOfCli } from './facts';
import { toAnchor, Page } from './markdown';
import { difference } from './likeness';
import { listCommands, resolveAt } from './unrun';

const page = (...lines: string[]): Page => new Page('docs/page.md', lines.join('\n'));

describe('a parsed page', () => {
  it('has blocks with the marks right before them, and prose', () => {
    const { blocks, prose } = page('# Title', '<!-- not run: no docker -->', '', '```sh', 'docker ps', '```', 'text');
    expect(blocks).toEqual([
      { at: 'docs/page.md:4', language: 'sh', text: 'docker ps', marks: new Map([['not run', 'no docker']]) },
    ]);
    expect(prose.map(({ text }) => text)).toEqual(['# Title', '', 'text']);
  });

  it('has marks after the language', () => {
    const { blocks } = page('```js file=a/b.mjs refused', 'go();', '```');
    expect(blocks[0]).toMatchObject({
      language: 'js',
      marks: new Map([
        ['file', 'a/b.mjs'],
        ['refused', ''],
      ]),
    });
  });

  it('ignores a mark that is followed by a sentence', () => {
    const { blocks } = page('<!-- not run: no docker -->', 'A sentence.', '```sh', 'docker ps', '```');
    expect(blocks[0]?.marks.size).toBe(0);
  });

  it('reports a block without an end', () => {
    expect(() => page('```sh', 'docker ps')).toThrow('docs/page.md:1: the block has no end');
  });

  it.each([
    ['Backup and restore', 'backup-and-restore'],
    ['Answering: `POST /v1/inbox/{id}/reply`', 'answering-post-v1inboxidreply'],
    ['A [link](x.md), there', 'a-link-there'],
  ])('names the heading "%s" #%s', (heading, anchor) => {
    expect(toAnchor(heading)).toBe(anchor);
  });

  it('has its links, except those in code', () => {
    const { links } = page('See [a](a.md#b) and `[c](c.md)`.');
    expect(links).toEqual([{ at: 'docs/page.md:1', target: 'a.md#b' }]);
  });
});

describe('an output matches the output on a page', () => {
  it.each([
    ['some fields of many', '{"a": 1}', '{"a": 1, "b": 2}'],
    ['some items, in their order', '{"a": [1, 3]}', '{"a": [1, 2, 3]}'],
    ['another id', '{"_id": "665f1c2ab7c3d94e5f60718a"}', '{"_id": "765f1c2ab7c3d94e5f60718b"}'],
    ['another time', '{"at": "2026-11-24T07:50:23.916Z"}', '{"at": "2027-01-01T00:00:00.000Z"}'],
    ['a text with a gap', '{"key": "sk_…"}', '{"key": "sk_abc"}'],
  ])('when the page shows %s', (_what, shown, output) => {
    expect(difference(shown, 'json', output)).toBeNull();
  });

  it.each([
    ['another value', '{"a": {"b": 1}}', '{"a": {"b": 2}}', 'the output.a.b is 2, not 1'],
    ['a missing field', '{"a": null}', '{}', 'the output has no a'],
    ['another order', '[2, 1]', '[1, 2]', 'has no item like 1'],
    ['a value instead of null', '{"a": null}', '{"a": 0}', 'the output.a is 0, not null'],
    ['another text instead of an id', '{"_id": "665f1c2ab7c3d94e5f60718a"}', '{"_id": "x"}', 'the output._id'],
    ['another form', '{}', 'no json', 'the output is no JSON'],
  ])('but not when it has %s', (_what, shown, output, fault) => {
    expect(difference(shown, 'json', output)).toContain(fault);
  });

  it('line by line if it is text', () => {
    expect(difference('one …\n…\nthree', 'text', 'zero\none two\ntwo\nthree')).toBeNull();
    expect(difference('three\none', 'text', 'one\nthree')).toContain('no line like "one"');
  });
});

describe('a command that is not run', () => {
  it.each([
    ['with its arguments', 'npm run cli -- --help', [['npm', 'run', 'cli', '--', '--help']]],
    ['without comments, redirections and assignments', 'A=1 cp a b > c 2>&1 # d', [['cp', 'a', 'b']]],
    ['over two lines', 'cp a \\\n  b', [['cp', 'a', 'b']]],
    ['as several commands in one line', 'cd a && cp "b; c" d | cat', [['cd', 'a'], ['cp', 'b; c', 'd'], ['cat']]],
    [
      'with a text of two lines, and an apostrophe in a comment',
      "cp 'a\n  b' c # isn't it\ncd d",
      [
        ['cp', 'a\n  b', 'c'],
        ['cd', 'd'],
      ],
    ],
    ['with a placeholder', 'outreach keys revoke <keyId> < in', [['outreach', 'keys', 'revoke', '<keyId>']]],
    ['as no command if it is an assignment', 'A="b c"', []],
  ])('is parsed %s', (_how, text, commands) => {
    expect(listCommands(text)).toEqual(commands);
  });

  it.each([
    ['docker compose restart api mongo', 'docker-compose.yml has no service "mongo"'],
    ['docker compose exec -T api node dist/apps/cli/src/main.js users invent', 'there is no command "invent"'],
    ['outreach users create --mail a@b.test', 'there is no option --mail'],
    ['npm run nonsense', 'package.json has no script "nonsense"'],
    ['npm run cli -- users forget', 'there is no command "forget"'],
    ['node tools/nowhere.mjs', 'there is no tools/nowhere.mjs'],
    ['kubectl apply -f deploy/nowhere.yaml', 'there is no deploy/nowhere.yaml'],
    ['curl $API/v1/nowhere', 'there is no route /v1/nowhere'],
    ['cd deploy/nowhere', 'there is no deploy/nowhere'],
    ['sudo reboot', 'the program "sudo" is unknown'],
  ])('%s is reported', (text, fault) => {
    expect(resolveAt(text).faults.join()).toContain(fault);
  });

  it.each([
    ['docker compose up --build --detach --wait'],
    ['docker compose exec -T api node dist/apps/cli/src/main.js users create --email a@b.test --name A'],
    ['docker compose run --rm --user "$(id -u)" --volume "$PWD:/b" api node dist/apps/cli/src/main.js config'],
    ['outreach users create --email a@b.test --name A --operator'],
    ['npm start -- --port 3100'],
    ['curl "$API/v1/campaigns/$CAMPAIGN/leads?limit=1"'],
  ])('%s is accepted', (text) => {
    expect(resolveAt(text)).toEqual({ faults: [], isChecked: true });
  });

  it('of several names is as wrong as one of them', () => {
    expect(faultOfCli(['webhooks', 'list|disable'])).toBeNull();
    expect(faultOfCli(['webhooks', 'list|forget'])).toContain('there is no command "list|forget"');
  });

  it('is not counted if it contains nothing to check', () => {
    expect(resolveAt('echo hello; git status').isChecked).toBe(false);
  });
});

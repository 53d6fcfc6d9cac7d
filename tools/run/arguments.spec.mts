import { parseCommand, parsePort, UsageError } from './arguments.mts';

describe('arguments', () => {
  it.each([
    ['start', { name: 'start', reset: false, rest: [] }],
    ['start --reset --port 3100', { name: 'start', reset: true, port: 3100, rest: [] }],
    ['dev --port=3100', { name: 'dev', reset: false, port: 3100, rest: [] }],
    ['test', { name: 'test', reset: false, rest: [] }],
    ['test credits -t debits', { name: 'test', reset: false, rest: ['credits', '-t', 'debits'] }],
    ['test --watch', { name: 'test', reset: false, rest: ['--watch'] }],
    ['check --only lint', { name: 'check', reset: false, only: 'lint', rest: [] }],
    ['cli workspaces create --name x', { name: 'cli', reset: false, rest: ['workspaces', 'create', '--name', 'x'] }],
    ['mcp --check', { name: 'mcp', reset: false, rest: ['--check'] }],
    ['bench --seconds 5', { name: 'bench', reset: false, rest: ['--seconds', '5'] }],
  ])('%s', (line, command) => {
    expect(parseCommand(line.split(' '))).toEqual(command);
  });

  it.each([[''], ['fly'], ['start now'], ['start --port'], ['start --port 0'], ['start --fast'], ['check --port x']])(
    'rejects "%s" and shows the usage',
    (line) => {
      expect(() => parseCommand(line.split(' ').filter(Boolean))).toThrow(UsageError);
      expect(() => parseCommand(line.split(' ').filter(Boolean))).toThrow('usage: ');
    },
  );

  it.each([['0'], ['65536'], ['-1'], ['1e3'], ['0x10'], ['80.5'], [''], ['abc']])('rejects "%s" as a port', (text) => {
    expect(() => parsePort(text)).toThrow('is not a port');
  });
});

import { containerArguments, MONGO } from './docker-services.mts';
import { chooseSources, type Machine } from './services.mts';

describe('the source of MongoDB and Redis', () => {
  const machine = (facts: { env?: NodeJS.ProcessEnv; programs?: string[]; docker?: boolean }): Machine => ({
    env: facts.env ?? {},
    onPath: (name) => (facts.programs?.includes(name) ? `/usr/bin/${name}` : undefined),
    docker: () => Promise.resolve(facts.docker ?? false),
  });
  const both = { MONGODB_URI: 'mongodb://a', REDIS_URL: 'redis://a' };

  it.each([
    [
      'addresses given',
      { env: both, programs: ['mongod', 'redis-server'], docker: true },
      'environment',
      'environment',
    ],
    ['installed programs', { programs: ['mongod', 'redis-server'], docker: true }, 'path', 'path'],
    ['one installed program', { programs: ['redis-server'] }, 'debian', 'path'],
    ['a running engine', { docker: true }, 'docker', 'docker'],
    ['an empty variable and nothing else', { env: { MONGODB_URI: '' } }, 'debian', 'debian'],
  ])('with %s', async (_what, facts, mongo, redis) => {
    expect(await chooseSources(machine(facts))).toEqual({ mongo, redis });
  });

  it('queries the engine once, and only when it is needed', async () => {
    const docker = jest.fn(() => Promise.resolve(true));
    await chooseSources({ ...machine({ env: both }), docker });
    expect(docker).toHaveBeenCalledTimes(0);
    await chooseSources({ ...machine({}), docker });
    expect(docker).toHaveBeenCalledTimes(1);
  });

  it('publishes a container on loopback only, with its data in a volume', () => {
    const text = containerArguments(MONGO, 'outreach-mongo-x', 'volume-x').join(' ');
    expect(text).toContain('--publish 127.0.0.1::27017');
    expect(text).toContain('--volume volume-x:/data/db mongo:8 --replSet local');
  });
});

import { appEnvironment, parseEnvironment, withDatabase } from './environment.mts';

describe('environment of the applications', () => {
  it.each([
    ['mongodb://127.0.0.1:1/?directConnection=true', 'mongodb://127.0.0.1:1/outreach?directConnection=true'],
    ['mongodb://127.0.0.1:1', 'mongodb://127.0.0.1:1/outreach'],
    ['mongodb://127.0.0.1:1/', 'mongodb://127.0.0.1:1/outreach'],
    ['mongodb://127.0.0.1:1/mine?w=1', 'mongodb://127.0.0.1:1/mine?w=1'],
    ['mongodb://user:pass@a:1,b:2/?replicaSet=rs', 'mongodb://user:pass@a:1,b:2/outreach?replicaSet=rs'],
    ['mongodb+srv://host.test?retryWrites=true', 'mongodb+srv://host.test/outreach?retryWrites=true'],
  ])('names the database in %s', (url, expected) => {
    expect(withDatabase(url)).toBe(expected);
  });

  it('rejects another kind of address without repeating it, since it may contain a password', () => {
    expect(() => withDatabase('postgres://user:secret@host')).toThrow('MONGODB_URI is not a mongodb:// address');
  });

  it('contains all addresses', () => {
    const addresses = {
      mongoUrl: 'mongodb://m:1/?directConnection=true',
      redisUrl: 'redis://r:2',
      apiPort: 3000,
      metricsPort: 3001,
      workerPort: 3002,
    };
    expect(appEnvironment(addresses, { SECRET_KEYS: 'k1:x' })).toEqual({
      NODE_ENV: 'development',
      SECRET_KEYS: 'k1:x',
      MONGODB_URI: 'mongodb://m:1/outreach?directConnection=true',
      REDIS_URL: 'redis://r:2',
      API_HOST: '127.0.0.1',
      OPS_HOST: '127.0.0.1',
      API_PORT: '3000',
      API_METRICS_PORT: '3001',
      WORKER_PORT: '3002',
      PUBLIC_URL: 'http://127.0.0.1:3000',
    });
  });

  it('reads values with equal signs, and skips comments and empty lines', () => {
    expect(parseEnvironment('# a comment\n\nSECRET_KEYS=k1:ab+/c==\nlower=no\nEMPTY=\n')).toEqual({
      SECRET_KEYS: 'k1:ab+/c==',
      EMPTY: '',
    });
  });
});

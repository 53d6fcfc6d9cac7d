import { loadConfig } from './load-config';
import { ConfigError } from './config.errors';
import { describeConfig, envExample } from './print-config';
import { variables } from './variable';

const required = { MONGODB_URI: 'mongodb://db/outreach', REDIS_URL: 'redis://queue', SECRET_KEYS: 'k1:canary' };

function problemsOf(env: Record<string, string>): readonly string[] {
  try {
    loadConfig(env);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}

describe('loadConfig', () => {
  it('reads variables, applies defaults and is frozen', () => {
    const config = loadConfig({
      ...required,
      API_PORT: '8080',
      CORS_ORIGINS: 'https://a.example, https://b.example ,',
    });
    expect(config).toMatchObject({
      apiPort: 8080,
      corsOrigins: ['https://a.example', 'https://b.example'],
      rateLimitRequests: 100,
      rateLimitWindowSeconds: 10,
      outboundAllowPrivate: false,
    });
    expect(Object.isFrozen(config)).toBe(true);
  });

  it('reports every problem at once, by name', () => {
    const problems = problemsOf({ API_PORT: '70000', LOG_LEVEL: 'loud', MONGODB_URI: 'http://db' });
    expect(problems.map((problem) => problem.split(' ')[0])).toEqual([
      'MONGODB_URI',
      'REDIS_URL',
      'SECRET_KEYS',
      'LOG_LEVEL',
      'API_PORT',
    ]);
  });

  it.each(['0x10', '1e2', '-1', '5.5', ' ', '65536', '9999999999999999'])(
    'rejects %j as a port, or uses the default for a blank',
    (text) => {
      const problems = problemsOf({ ...required, API_PORT: text });
      expect(problems).toHaveLength(text.trim() === '' ? 0 : 1);
    },
  );

  it.each([
    ['0', 0],
    ['0.15', 0.15],
    ['2.000001', 2.000001],
    ['1000000', 1_000_000],
  ])('reads %s as a price', (text, price) => {
    expect(loadConfig({ ...required, LLM_INPUT_PRICE: text }).llmInputPrice).toBe(price);
  });

  it.each(['-1', '1,5', '.5', '1e2', '1000000.1', '0.1234567', 'free'])('rejects %j as a price', (text) => {
    expect(problemsOf({ ...required, LLM_INPUT_PRICE: text })[0]).toContain('must be an amount from 0 to 1000000');
  });

  it.each(['yes', '1', 'TRUE'])('rejects %s as a flag', (text) => {
    expect(problemsOf({ ...required, MAIL_ALLOW_PLAINTEXT: text })[0]).toContain('must be true or false');
  });

  it.each([
    ['true', true],
    ['false', false],
    ['10.20.0.0/16', ['10.20.0.0/16']],
    ['127.0.0.1/32, fd12::/48,', ['127.0.0.1/32', 'fd12::/48']],
  ])('reads %j as allowed private networks', (text, expected) => {
    expect(loadConfig({ ...required, OUTBOUND_ALLOW_PRIVATE: text }).outboundAllowPrivate).toEqual(expected);
  });

  it.each([
    'yes',
    '10.0.0.1',
    '10.0.0.0/33',
    'fd00::/129',
    '10.0.0/8',
    'localhost/8',
    '10.0.0.0/8 fd00::/8',
    'true,::1/128',
    ',',
  ])('rejects %j as private networks', (text) => {
    expect(problemsOf({ ...required, OUTBOUND_ALLOW_PRIVATE: text })[0]).toContain('must be true, false or networks');
  });

  it.each([
    ['', []],
    ['10.0.0.2', ['10.0.0.2:53']],
    ['10.0.0.2:5353, [fd00::2]:5353,', ['10.0.0.2:5353', '[fd00::2]:5353']],
    ['fd00::2,[fd00::3]', ['[fd00::2]:53', '[fd00::3]:53']],
  ])('reads %j as DNS servers', (text, expected) => {
    expect(loadConfig({ ...required, DNS_SERVERS: text }).dnsServers).toEqual(expected);
  });

  it.each([
    'dns.example',
    '10.0.0',
    '10.0.0.256',
    '010.0.0.2',
    '10.0.0.2:0',
    '10.0.0.2:65536',
    '10.0.0.2:',
    '10.0.0.2 10.0.0.3',
    '[10.0.0.2]:53',
    '[fd00::2]53',
    'fd00::2::53',
    'udp://10.0.0.2',
  ])('rejects %j as a DNS server', (text) => {
    expect(problemsOf({ ...required, DNS_SERVERS: text })[0]).toContain('must be IP addresses like');
  });

  it.each(['', 'probe.example.com', 'localhost', '[192.0.2.1]', '[IPv6:2001:db8::1]'])(
    'reads %j as a server name',
    (name) => {
      expect(loadConfig({ ...required, VERIFICATION_PROBE_HELO: name }).verificationProbeHelo).toBe(name);
    },
  );

  it.each(['probe example', 'probe.example\r\nMAIL FROM:<x>', '.example', 'a..b', 'grün.example', 'x'.repeat(256)])(
    'rejects %j as a server name',
    (name) => {
      expect(problemsOf({ ...required, VERIFICATION_PROBE_HELO: name })[0]).toContain('must be a host name');
    },
  );

  it.each(['', 'probe@example.com', 'a+b@mail.example.com'])('reads %j as a sender', (sender) => {
    expect(loadConfig({ ...required, VERIFICATION_PROBE_FROM: sender }).verificationProbeFrom).toBe(sender);
  });

  it.each(['probe', 'Probe <probe@example.com>', '<>', 'probe@example', 'a b@example.com', 'a@b.c\r\nRCPT'])(
    'rejects %j as a sender',
    (sender) => {
      expect(problemsOf({ ...required, VERIFICATION_PROBE_FROM: sender })[0]).toContain('must be an email address');
    },
  );

  it.each([
    '',
    'smtp://user:password@mail.example:587',
    'smtps://a%40b.example:p%3Aw@mail.example',
    'smtp://u:p@[fd00::2]/',
  ])('reads %j as the server for reports', (text) => {
    expect(loadConfig({ ...required, REPORT_SMTP_URL: text }).reportSmtpUrl).toBe(text);
  });

  it.each([
    'mail.example',
    'https://user:password@mail.example',
    'smtp://mail.example',
    'smtp://user@mail.example',
    'smtp://:password@mail.example',
    'smtp://user:canary-password@mail.example/path',
    'smtp://user:canary-password@mail.example?tls=no',
    'smtp://user:%FF%canary@mail.example',
  ])('rejects %j as the server for reports, without repeating it', (text) => {
    const problems = problemsOf({ ...required, REPORT_SMTP_URL: text }).join();
    expect(problems).toContain('must be smtp://user:password@host:port');
    expect(problems).not.toContain('canary');
  });

  it.each(['short', 'x'.repeat(23), `${'x'.repeat(30)} y`, 'ü'.repeat(30), 'x'.repeat(201)])(
    'rejects %j as a token',
    (text) => {
      expect(problemsOf({ ...required, QUEUE_VIEW_TOKEN: text })[0]).toContain('must have 24 to 200');
    },
  );

  it('has no token by default', () => {
    const set = 'a+b/c='.repeat(4);
    expect(loadConfig(required).queueViewToken).toBe('');
    expect(loadConfig({ ...required, QUEUE_VIEW_TOKEN: set }).queueViewToken).toBe(set);
  });

  it('accepts a replica set with several hosts', () => {
    expect(problemsOf({ ...required, MONGODB_URI: 'mongodb://u:p@a:27017,b:27017/outreach?replicaSet=rs0' })).toEqual(
      [],
    );
  });

  it('never repeats an invalid value, which may be a secret', () => {
    expect(problemsOf({ ...required, MONGODB_URI: 'postgres://user:canary-password@db' }).join()).not.toContain(
      'canary-password',
    );
  });
});

describe('describeConfig', () => {
  it('shows every variable and masks every secret', () => {
    const lines = describeConfig(loadConfig({ ...required, MONGODB_URI: 'mongodb://user:canary@db/outreach' }));
    expect(lines).toHaveLength(variables.length);
    expect(lines).toContain('MONGODB_URI=********');
    expect(lines).toContain('API_PORT=3000');
    expect(lines.join('\n')).not.toContain('canary');
  });
});

describe('envExample', () => {
  it('names each variable once, with required ones uncommented', () => {
    const text = envExample();
    for (const { env } of variables) expect(text.match(new RegExp(`^(# )?${env}=`, 'gm'))).toHaveLength(1);
    for (const env of Object.keys(required)) expect(text).toMatch(new RegExp(`^${env}=`, 'm'));
  });
});

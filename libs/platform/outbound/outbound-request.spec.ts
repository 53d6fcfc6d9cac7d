import { OutboundError } from './outbound.errors';
import { toFirstHop, parseOutboundUrl, type OutboundRequest } from './outbound-request';

function refusalOf(action: () => unknown): unknown {
  try {
    return action();
  } catch (error) {
    return error;
  }
}

const request = (changes: Partial<OutboundRequest> = {}): OutboundRequest => ({
  url: 'https://receiver.example/hook',
  method: 'POST',
  timeoutMs: 1000,
  maxResponseBytes: 1000,
  ...changes,
});

describe('an outbound URL', () => {
  it.each([
    ['HTTP://Receiver.Example:8080/a?b#c', 'http://receiver.example:8080/a?b#c'],
    ['https://bücher.example', 'https://xn--bcher-kva.example/'],
    ['http://0x7f.1/', 'http://127.0.0.1/'],
  ])('is parsed from %s to %s', (text, href) => {
    expect(parseOutboundUrl(text).href).toBe(href);
  });

  it.each([
    ['', 'The URL is invalid'],
    ['/hook', 'The URL is invalid'],
    ['https://', 'The URL is invalid'],
    ['http://s3cret host/', 'The URL is invalid'],
    ['ftp://s3cret.example/', 'The URL must begin with http:// or https://'],
    ['file:///etc/s3cret', 'The URL must begin with http:// or https://'],
    ['javascript:s3cret()', 'The URL must begin with http:// or https://'],
    ['https://user:s3cret@receiver.example/', 'The URL must not contain a user name or password'],
    ['https://s3cret@receiver.example/', 'The URL must not contain a user name or password'],
    ['https://:s3cret@receiver.example/', 'The URL must not contain a user name or password'],
  ])('is rejected when it is %j, without a repetition of it', (text, message) => {
    const error = refusalOf(() => parseOutboundUrl(text));
    expect(error).toBeInstanceOf(OutboundError);
    expect(error).toMatchObject({ reason: 'invalid_url', retry: false, message });
    expect(error).not.toHaveProperty('cause');
  });
});

describe('the first hop of a request', () => {
  it('has lower-case headers with unchanged values', () => {
    const hop = toFirstHop(request({ headers: { 'X-Note': 'caf\u00e9\tx', ACCEPT: '' }, body: 'b' }));
    expect(hop).toMatchObject({ method: 'POST', headers: { 'x-note': 'caf\u00e9\tx', accept: '' }, body: 'b' });
  });

  it.each(['a\r\nx-injected: 1', 'a\nb', 'a\rb', 'a\0b', '\u2713', '\x7f'])(
    'rejects the header value %j and names the header',
    (value) => {
      expect(refusalOf(() => toFirstHop(request({ headers: { 'X-Note': value } })))).toMatchObject({
        reason: 'protocol',
        retry: false,
        message: 'The header x-note has a line break or another character that HTTP does not allow',
      });
    },
  );

  it.each(['', 'x y', 'x:y', 'x\r\ny', '\u00e9'])('rejects the header name %j', (name) => {
    expect(refusalOf(() => toFirstHop(request({ headers: { [name]: 'v' } })))).toMatchObject({
      reason: 'protocol',
      retry: false,
    });
  });

  it.each(['Host', 'content-length', 'Transfer-Encoding', 'CONNECTION', 'upgrade', 'expect', 'Accept-Encoding'])(
    'rejects the header %s, which the client sets',
    (name) => {
      const error = refusalOf(() => toFirstHop(request({ headers: { [name]: '1' } })));
      expect(error).toMatchObject({ reason: 'protocol', message: `The header ${name.toLowerCase()} cannot be set` });
    },
  );

  it.each([
    { timeoutMs: 0 },
    { timeoutMs: 600_001 },
    { timeoutMs: Number.NaN },
    { maxResponseBytes: -1 },
    { maxResponseBytes: 1.5 },
    { followRedirects: -1 },
    { followRedirects: 6 },
  ])('rejects %j as a programming error', (changes) => {
    expect(refusalOf(() => toFirstHop(request(changes)))).toBeInstanceOf(RangeError);
  });
});

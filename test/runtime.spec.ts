import { createRequire } from 'node:module';

const ofNode = createRequire(__filename);

describe('the modules of a test file', () => {
  it.each(['@nestjs/common', 'mongoose', 'bullmq', 'reflect-metadata'])(
    'are, for the package %s, those that Node has loaded',
    (name) => {
      expect(require(name)).toBe(ofNode(name));
    },
  );

  it('are shared, so a file cannot mock them for itself', () => {
    const change = () => jest.isolateModules(() => undefined);
    expect(change).toThrow('begin with @jest-environment node');
    expect(() => jest.resetModules()).toThrow('begin with @jest-environment node');
  });
});

import { Global, Module } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { Config } from '@platform/config';
import { KeyRingError } from './secrets.errors';
import { SecretBoxService } from './secret-box.service';
import { SecretsModule } from './secrets.module';
import { TokenSignerService } from './token-signer.service';

const boot = (secretKeys: string) => {
  @Global()
  @Module({ providers: [{ provide: Config, useValue: { secretKeys } }], exports: [Config] })
  class FakeConfigModule {}
  return Test.createTestingModule({ imports: [FakeConfigModule, SecretsModule] }).compile();
};

describe('SecretsModule', () => {
  it('builds box and signer from the configured keys', async () => {
    const app = await boot(`k1:${Buffer.alloc(32, 1).toString('base64')}`);
    const box = app.get(SecretBoxService);
    const signer = app.get(TokenSignerService);
    expect(box.open(box.seal('x', 'owner'), 'owner')).toBe('x');
    expect(signer.verify('p', signer.sign('p', 'x'))?.toString()).toBe('x');
    await app.close();
  });

  it('does not start with unusable keys', async () => {
    await expect(boot('k1:short')).rejects.toThrow(KeyRingError);
  });
});

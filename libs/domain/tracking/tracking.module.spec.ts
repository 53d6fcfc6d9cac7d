import { Global, Module } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { Config } from '@platform/config';
import { SecretsModule } from '@platform/secrets';
import { TrackingModule } from './tracking.module';
import { TrackingTokens } from './tracking.tokens';
import { TrackingUrls } from './tracking.urls';

const config = { secretKeys: `k1:${Buffer.alloc(32, 1).toString('base64')}`, publicUrl: 'https://mail.sender.test' };

@Global()
@Module({ providers: [{ provide: Config, useValue: config }], exports: [Config] })
class FakeConfigModule {}

describe('TrackingModule', () => {
  it('writes URLs below the configured address with tokens that it reads', async () => {
    const app = await Test.createTestingModule({
      imports: [FakeConfigModule, SecretsModule, TrackingModule],
    }).compile();
    const sendId = '65f0c0ffee65f0c0ffee0001';
    const [base, token = ''] = app.get(TrackingUrls).unsubscribe(sendId).split('/u/');
    expect(base).toBe('https://mail.sender.test');
    expect(app.get(TrackingTokens).read('unsubscribe', token)).toEqual({ sendId });
    await app.close();
  });
});

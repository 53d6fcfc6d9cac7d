import { Global, Module } from '@nestjs/common';
import { Config } from '@platform/config';
import { KeyMarks } from './key.marks';
import { KeyRing } from './key.ring';
import { SealedStores } from './sealed.stores';
import { SecretBox } from './secret.box';
import { SecretRotation } from './secret.rotation.service';
import { TokenSigner } from './token.signer';

/** Offers `SecretBox` and `TokenSigner` everywhere. The key ring itself stays inside; bad keys stop the start. */
@Global()
@Module({
  providers: [
    { provide: KeyRing, useFactory: (config: Config) => KeyRing.parse(config.secretKeys), inject: [Config] },
    SecretBox,
    TokenSigner,
    SealedStores,
    SecretRotation,
    KeyMarks,
  ],
  exports: [KeyMarks, SecretBox, TokenSigner, SealedStores, SecretRotation],
})
export class SecretsModule {}

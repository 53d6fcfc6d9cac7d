import { Global, Module } from '@nestjs/common';
import { Config } from '@platform/config';
import { KeyIdRegistry } from './key-id.registry';
import { KeyRing } from './key-ring';
import { SecretStoreRegistry } from './secret-store.registry';
import { SecretBoxService } from './secret-box.service';
import { SecretRotationService } from './secret-rotation.service';
import { TokenSignerService } from './token-signer.service';

/** Provides `SecretBoxService` and `TokenSignerService`. The key ring is private; with invalid keys the process does not start. */
@Global()
@Module({
  providers: [
    { provide: KeyRing, useFactory: (config: Config) => KeyRing.parse(config.secretKeys), inject: [Config] },
    SecretBoxService,
    TokenSignerService,
    SecretStoreRegistry,
    SecretRotationService,
    KeyIdRegistry,
  ],
  exports: [KeyIdRegistry, SecretBoxService, TokenSignerService, SecretStoreRegistry, SecretRotationService],
})
export class SecretsModule {}

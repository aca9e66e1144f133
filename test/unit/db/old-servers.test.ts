import { expect, test } from 'vitest';
import { refuseOldServer } from '../../../src/db/migrate.ts';

test.each(['15.20 (Debian 15.20-0+deb12u1)', '16.4', '18.4', '19beta1'])('%s is new enough', (version) => {
  expect(() => refuseOldServer(version)).not.toThrow();
});

test.each(['9.6.24', '13.16 (Debian 13.16-0+deb11u1)', '14.13'])(
  '%s is refused, with the version that is needed',
  (version) => {
    expect(() => refuseOldServer(version)).toThrow(
      expect.objectContaining({
        code: 'database-old',
        message: expect.stringContaining(`PostgreSQL ${version}; calsyncd needs 15`) as string,
      }),
    );
  },
);

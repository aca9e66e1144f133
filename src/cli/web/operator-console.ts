import { networkGuard } from '../../client/address-guard.ts';
import type { Engine } from '../../operator/frame/operator.ts';
import { operatorDoor } from '../../site/authorize/operator-door.ts';
import type { Handle, Route } from '../../web.ts';
import type { App } from '../open/open-context.ts';

/** This machine, however it is written. */
const LOOPBACK = ['127.0.0.0/8', '::1/128'];

/** `/operator` and below. Its modules are loaded when somebody asks for it first. */
export function operatorRoutes(app: App, engine: Engine): readonly Route[] {
  let made: { readonly publicUrl: string; readonly handle: Promise<Handle> } | undefined;
  const make = async (publicUrl: string): Promise<Handle> => {
    const { makeOperatorConsole } = await import('../../operator/handle-operator.ts');
    return makeOperatorConsole({
      operator: {
        context: app.context,
        config: app.inForce.config,
        sites: () =>
          [...app.sites.sites.values()].map(({ name, key, home, isBuiltin }) => ({ name, key, home, isBuiltin })),
        publicUrl,
        engine,
      },
      door: operatorDoor(app.state.database.query(), publicUrl, app.context.now),
      isAllowed: (peer) => networkGuard([...LOOPBACK, ...app.inForce.config().operator.allowAddresses])(peer),
    });
  };
  const handle: Handle = async (request, peer) => {
    const { publicUrl } = app;
    if (made?.publicUrl !== publicUrl) made = { publicUrl, handle: make(publicUrl) };
    return (await made.handle)(request, peer);
  };
  return [
    ['/operator', handle],
    ['/operator/*', handle],
  ];
}

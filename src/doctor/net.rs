//! A network namespace.

use super::Finding;
use super::trial::Trials;
use crate::spec::layer::Layer;

pub(super) fn look(trials: &Trials) -> Finding {
    let layer = Layer::Net;
    let without_others = trials.made(Layer::Namespaces, None).is_err();
    match trials.made(layer, None) {
        Ok(()) => Finding::layer(
            layer,
            "can be made, but only is with --require net: it costs about a millisecond",
        ),
        Err(_) if without_others => {
            Finding::no_layer(layer, "there are no namespaces that it could be added to")
        }
        Err(reason) => Finding::no_layer(layer, reason),
    }
}

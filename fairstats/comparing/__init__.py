"""Methods × models, compared on people that neither saw in training."""

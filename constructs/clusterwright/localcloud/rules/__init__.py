"""Rules of the services, as pure functions from facts to problems.

moto accepts almost anything; AWS does not. Each rule says what AWS would, and where that is documented.
"""
